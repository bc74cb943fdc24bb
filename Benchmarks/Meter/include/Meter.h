/// Has valgrind count instructions from now on. Does nothing where valgrind does not run the program.
void startCounting(void);

/// Has valgrind count no more.
void stopCounting(void);

/// What the program has allocated and not freed, in bytes.
long bytesTaken(void);

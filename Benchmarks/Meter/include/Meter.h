/// Has valgrind count instructions from now on. Does nothing where valgrind does not run the program.
void startCounting(void);

/// Has valgrind count no more.
void stopCounting(void);

/// What the program has allocated and not freed, in bytes.
long bytesTaken(void);

/// Has the allocator of Linux keep no more than 64 KiB of free memory at the end of each of its heaps, however much was
/// freed at once before: by default that becomes as much as 64 MiB for each.
void keepLittleFreeMemory(void);

/// Gives the system what is free in the allocator's heaps, as far as it can.
void giveBackFreeMemory(void);

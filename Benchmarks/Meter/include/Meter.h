/// Makes valgrind count instructions. Does nothing if valgrind does not run the program.
void startCounting(void);

/// Makes valgrind stop counting.
void stopCounting(void);

/// Returns the number of bytes that the program has allocated and not freed.
long bytesTaken(void);

/// Limits the free memory that the allocator of Linux keeps at the end of each heap to 64 KiB. After
/// large amounts of memory were freed at the same time, the default limit grows to up to 64 MiB.
void keepLittleFreeMemory(void);

/// Returns the free memory in the allocator's heaps to the system, as far as possible.
void giveBackFreeMemory(void);

/// Keeps the current thread on one processor, if the system allows it.
void keepThreadOnProcessor(int processor);

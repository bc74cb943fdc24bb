#define _GNU_SOURCE
#include "Meter.h"

// Valgrind recognizes the requests, which are instructions without effect. The header is part of
// valgrind.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
void startCounting(void) { CALLGRIND_START_INSTRUMENTATION; }
void stopCounting(void) { CALLGRIND_STOP_INSTRUMENTATION; }
#else
void startCounting(void) {}
void stopCounting(void) {}
#endif

#if defined(__APPLE__)
#include <malloc/malloc.h>
long bytesTaken(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(0, &statistics);
  return (long)statistics.size_in_use;
}
void keepLittleFreeMemory(void) {}
void giveBackFreeMemory(void) { malloc_zone_pressure_relief(0, 0); }
#else
#include <malloc.h>
long bytesTaken(void) {
  struct mallinfo2 taken = mallinfo2();
  return (long)(taken.uordblks + taken.hblkhd);
}
void keepLittleFreeMemory(void) { mallopt(M_TRIM_THRESHOLD, 65536); }
void giveBackFreeMemory(void) { malloc_trim(0); }
#endif

#if defined(__linux__)
#include <sched.h>
void keepThreadOnProcessor(int processor) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(processor, &processors);
  sched_setaffinity(0, sizeof processors, &processors);
}
#else
void keepThreadOnProcessor(int processor) {}
#endif

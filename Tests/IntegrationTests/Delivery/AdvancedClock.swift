// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Sets a program's clock ahead: a library that is loaded before all others adds to the time of day.
///
/// libfaketime does the same and more; with it, Dispatch's timers do not fire (run: 0.9.10).
enum AdvancedClock {
  private static let variable = "TEST_CLOCK_AHEAD"

  private static let source = """
    #define _GNU_SOURCE
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <sys/time.h>
    #include <time.h>
    #include <unistd.h>

    static long ahead(void) {
      const char *text = getenv("\(variable)");
      return text ? atol(text) : 0;
    }

    int clock_gettime(clockid_t clock, struct timespec *now) {
      int result = (int)syscall(SYS_clock_gettime, clock, now);
      if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += ahead();
      return result;
    }

    time_t time(time_t *seconds) {
      struct timespec now = {0};
      clock_gettime(CLOCK_REALTIME, &now);
      if (seconds) *seconds = now.tv_sec;
      return now.tv_sec;
    }

    int gettimeofday(struct timeval *now, void *zone) {
      (void)zone;
      struct timespec precise = {0};
      clock_gettime(CLOCK_REALTIME, &precise);
      now->tv_sec = precise.tv_sec;
      now->tv_usec = precise.tv_nsec / 1000;
      return 0;
    }

    """

  /// Kept for the whole run, with the library in it.
  private static let made = Result {
    let folder = try TemporaryDirectory()
    try folder.write(source, to: "clock.c")
    try ProgramRun.output(
      "clang", ["-O1", "-Wall", "-Wno-nonnull-compare", "-shared", "-fPIC", "-o", "clock.so", "clock.c"], in: folder.url
    )
    return folder
  }

  /// The environment of a program whose clock is ahead by so many hours.
  static func environment(hours: Int) throws -> [String: String] {
    ["LD_PRELOAD": try made.get().path("clock.so"), variable: "\(hours * 3_600)"]
  }
}

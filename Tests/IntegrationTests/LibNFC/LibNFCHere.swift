// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// libnfc as Debian ships it. Where it is not installed the tests of it are skipped, but never in CI.
enum LibNFCHere {
  static var library: ConditionTrait {
    .enabled("libnfc6 is not installed") { isCI || dlopen("libnfc.so.6", RTLD_NOW) != nil }
  }

  private static var isCI: Bool { getenv("CI").map { String(cString: $0) } == "true" }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Testing

/// The part of the tests that runs.
///
/// The environment variable `LIBRE_TESTS` names the tier; `make check`, `make test` and `make full` set it. Without it
/// the tier is `test`.
package enum TestTier: String, CaseIterable, Sendable, Comparable {
  /// Unit tests without another process, a socket or a wait.
  case check
  /// Unit tests, the built command, and real outside parts once each.
  case test
  /// Everything, with many rounds of what is random.
  case full

  /// An unknown name ends the run: a typing error must not look like a pass.
  package static let current: TestTier = {
    guard let name = ProcessInfo.processInfo.environment["LIBRE_TESTS"] else { return .test }
    guard let tier = TestTier(rawValue: name) else {
      preconditionFailure("LIBRE_TESTS=\(name): use \(allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return tier
  }()

  /// The number of rounds of a randomised test: a few in each run, many in `make full`.
  package static func rounds(_ usual: Int, full: Int) -> Int { current == .full ? full : usual }

  package static func < (left: TestTier, right: TestTier) -> Bool {
    allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
  }
}

extension Trait where Self == ConditionTrait {
  /// The test starts another program or opens a socket, so that `make check` leaves it out.
  package static var startsProcesses: Self {
    .enabled(if: TestTier.current >= .test, "make check starts no other program; run make test")
  }
}

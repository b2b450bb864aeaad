// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Waits for something that another thread or program brings about, however busy the machine is.
///
/// The condition is looked at every few milliseconds. The wait fails only after 60,000 looks, which take five minutes
/// at least: a test that fails here waits for something that never comes.
package func eventually(_ what: String, _ condition: () throws -> Bool) throws {
  for _ in 0..<Eventually.looks {
    if try condition() { return }
    Thread.sleep(forTimeInterval: Eventually.pause)
  }
  throw Eventually.Never(what: what)
}

/// Waits without blocking a thread of the common pool.
package func eventually(_ what: String, _ condition: @Sendable () async throws -> Bool) async throws {
  for _ in 0..<Eventually.looks {
    if try await condition() { return }
    try await Task.sleep(for: .seconds(Eventually.pause))
  }
  throw Eventually.Never(what: what)
}

private enum Eventually {
  static let looks = 60_000
  static let pause = 0.005

  struct Never: Error, CustomStringConvertible {
    let what: String
    var description: String { "this never came: \(what)" }
  }
}

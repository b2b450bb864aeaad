// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Work without the superuser's right to write wherever it likes, which tests in a container often have.
enum Unprivileged {
  /// For the file system, this thread is nobody's meanwhile. Only the C library itself has the call under a name.
  static func run(_ work: () throws -> Void) throws {
    guard geteuid() == 0 else { return try work() }
    typealias SetUser = @convention(c) (UInt32) -> CInt
    guard let symbol = dlsym(nil, "setfsuid") else { throw CocoaError(.featureUnsupported) }
    let setUser = unsafeBitCast(symbol, to: SetUser.self)
    _ = setUser(65_534)
    defer { _ = setUser(0) }
    try work()
  }
}

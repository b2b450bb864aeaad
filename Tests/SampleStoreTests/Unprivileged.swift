// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs code without the superuser's right to write everywhere, which tests in a container often have.
enum Unprivileged {
  /// Gives this thread no user rights on the file system meanwhile. Only the C library has a named call for that.
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

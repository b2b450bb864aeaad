// SPDX-License-Identifier: Apache-2.0

/// An error that says what is wrong and what to do about it, so that the terminal, JSON and a program that uses the
/// library say the same.
public protocol ExplainedError: Error, Hashable, Sendable {
  var explanation: ErrorExplanation { get }
  /// The status with which a program ends because of this error (sysexits.h).
  var exitStatus: Int32 { get }
}

extension ExplainedError {
  /// Stable: scripts compare it.
  public var code: String { explanation.code }
  /// Names what is wrong with what, and both values where there are two.
  public var message: String { explanation.message }
  /// What the user can do about it, in this situation.
  public var resolution: String { explanation.resolution }
}

/// The three texts of an error.
public struct ErrorExplanation: Hashable, Sendable {
  public let code: String
  public let message: String
  public let resolution: String

  public init(_ code: String, _ message: String, _ resolution: String) {
    self.code = code
    self.message = message
    self.resolution = resolution
  }
}

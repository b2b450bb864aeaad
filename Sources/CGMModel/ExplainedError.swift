// SPDX-License-Identifier: Apache-2.0

/// An error that states the cause and the remedy, so that the terminal, JSON and a program that uses the library report
/// the same.
public protocol ExplainedError: Error, Hashable, Sendable {
  var explanation: ErrorExplanation { get }
  /// The exit status of a program that ends because of this error (sysexits.h).
  var exitStatus: Int32 { get }
}

extension ExplainedError {
  /// A stable identifier, for scripts to compare.
  public var code: String { explanation.code }
  /// The cause: what is wrong with what, with both values where there are two.
  public var message: String { explanation.message }
  /// The remedy: what the user can do in this situation.
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

// SPDX-License-Identifier: Apache-2.0

/// A fault of one request.
enum Fault: Hashable, Sendable {
  /// All was read, and the receiver neither does it nor ever answers.
  case silent
  /// The answer of a receiver that does nothing.
  case status(Int, [String] = [])
  /// The request itself, with all that is secret in it.
  case echo(Int)
  /// The receiver does the request, and the connection is reset in the answer.
  case resetInAnswer
  /// The answer comes in ten parts, each sent when the client has read the one before. Not an error.
  case slow
}

/// The requests that fail, counted from 0.
struct FaultPlan: Sendable {
  let fault: @Sendable (_ number: Int) -> Fault?

  static let none = FaultPlan { _ in nil }

  static func first(_ fault: Fault) -> FaultPlan { FaultPlan { $0 == 0 ? fault : nil } }

  static func always(_ fault: Fault) -> FaultPlan { FaultPlan { _ in fault } }
}

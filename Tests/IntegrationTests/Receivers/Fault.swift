// SPDX-License-Identifier: Apache-2.0

/// A fault of one request.
enum Fault: Hashable, Sendable {
  // The receiver does not do the request.
  /// The connection is reset before the body was read.
  case resetInRequest
  /// All was read, and nothing is ever answered.
  case silent
  case status(Int, [String] = [])
  /// The request itself, with all that is secret in it.
  case echo(Int)

  // The receiver does the request.
  /// The connection is reset in the answer.
  case resetInAnswer
  case silentAfterwards
  case statusAfterwards(Int)
  /// The answer is announced longer than it is.
  case cut
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

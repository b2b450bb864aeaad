// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import TestSupport

/// A fault of one request.
enum Fault: Hashable, Sendable {
  // The receiver does not do the request.
  /// The connection is reset before the body was read.
  case resetInRequest
  /// All was read, and nothing is ever answered.
  case silent
  case status(Int, [String] = [])
  /// A page for people, with 200: what a captive portal or a proxy says.
  case webPage
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
  let fault: @Sendable (_ number: Int, _ request: ReceivedRequest) -> Fault?

  init(_ fault: @escaping @Sendable (Int, ReceivedRequest) -> Fault?) { self.fault = fault }

  static let none = FaultPlan { _, _ in nil }

  /// The requests of a range of numbers.
  static func requests(_ numbers: Range<Int>, _ fault: Fault) -> FaultPlan {
    FaultPlan { number, _ in numbers.contains(number) ? fault : nil }
  }

  static func first(_ count: Int = 1, _ fault: Fault) -> FaultPlan { requests(0..<count, fault) }

  static func always(_ fault: Fault) -> FaultPlan { FaultPlan { _, _ in fault } }

  /// Any of `faults` in one of three requests, by the seed and the request's number.
  static func random(_ seed: UInt64, among faults: [Fault]) -> FaultPlan {
    let random = SplitMix64(seed: seed)
    return FaultPlan { number, _ in
      let draw = random.integer(in: 0...(3 * faults.count - 1), at: number)
      return faults.indices.contains(draw) ? faults[draw] : nil
    }
  }

  /// 413 for every request of more records than the limit.
  static func tooMany(over limit: Int, for receiver: any Receiver) -> FaultPlan {
    FaultPlan { _, request in receiver.records(in: request) > limit ? .status(413) : nil }
  }

  /// 400 for every request that has one of these texts in it.
  static func bad(_ marks: [String], status: Int = 400) -> FaultPlan {
    FaultPlan { _, request in
      guard !request.body.isEmpty else { return nil }
      let text = request.text
      return marks.contains(where: text.contains) ? .status(status) : nil
    }
  }
}

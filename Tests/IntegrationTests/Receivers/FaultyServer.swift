// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

/// A receiver on a free port of 127.0.0.1, with faults that a test plans.
final class FaultyServer: Sendable {
  let receiver: any Receiver

  private struct State {
    var server: LoopbackServer?
    var plan: FaultPlan
    var number = 0
    var requests: [ReceivedRequest] = []
    var faults = 0
    var onPart: (@Sendable (Int) -> Void)?
  }

  private let state: Mutex<State>

  /// The number of requests that failed as planned.
  var faults: Int { state.withLock { $0.faults } }
  /// All that were read with their bodies.
  var requests: [ReceivedRequest] { state.withLock { $0.requests } }

  var port: Int { state.withLock { $0.server?.port ?? 0 } }
  var url: String { "http://127.0.0.1:\(port)" }

  init(_ receiver: any Receiver, _ plan: FaultPlan = .none) throws {
    self.receiver = receiver
    state = Mutex(State(plan: plan))
    let server = try LoopbackServer { [weak self] in self?.serve($0) }
    state.withLock { $0.server = server }
  }

  /// From now on, with numbers from 0.
  func set(_ plan: FaultPlan) {
    state.withLock { state in
      state.plan = plan
      state.number = 0
    }
  }

  /// Calls `action` at each part of a slow answer, on the thread of the connection: with 0 before the request is done,
  /// with 1 before the answer, and then after each of its parts.
  func onPart(_ action: (@Sendable (Int) -> Void)?) { state.withLock { $0.onPart = action } }

  /// The number of the last part of a slow answer.
  static let lastPart = 1 + answerParts
  private static let answerParts = 10

  private func serve(_ connection: Connection) {
    while let request = connection.request() {
      switch next(request) {
      case .silent: return connection.hang()
      case .status(let status, let headers): connection.send(Answer(status, headers: headers).text)
      case .echo(let status): connection.send(Self.echo(request, status).text)
      case .resetInAnswer:
        connection.send(receiver.answer(to: request).cutText)
        // A reset that came earlier would take the answer with it.
        connection.waitUntilRead()
        return connection.reset()
      case .slow: answerSlowly(request, connection)
      case nil: connection.send(receiver.answer(to: request).text)
      }
    }
  }

  private func next(_ request: ReceivedRequest) -> Fault? {
    state.withLock { state in
      let fault = state.plan.fault(state.number)
      state.number += 1
      state.requests.append(request)
      if fault != nil { state.faults += 1 }
      return fault
    }
  }

  private static func echo(_ request: ReceivedRequest, _ status: Int) -> Answer {
    Answer(status, ([request.line] + request.headers).joined(separator: " ") + request.text)
  }

  /// Sends the next part when the client has read the one before.
  private func answerSlowly(_ request: ReceivedRequest, _ connection: Connection) {
    let reached = state.withLock { $0.onPart } ?? { _ in }
    reached(0)
    let bytes = Array(receiver.answer(to: request).text.utf8)
    reached(1)
    let size = bytes.count / Self.answerParts + 1
    for part in 0..<Self.answerParts {
      let start = min(part * size, bytes.count)
      connection.send(Array(bytes[start..<min(start + size, bytes.count)]))
      connection.waitUntilRead()
      reached(2 + part)
    }
  }
}

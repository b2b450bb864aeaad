// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

/// A receiver on a free port of 127.0.0.1, and what goes wrong with it.
final class FaultyServer: Sendable {
  let receiver: any Receiver
  let port: Int

  private struct State {
    var server: LoopbackServer?
    var plan: FaultPlan
    var number = 0
    var requests: [ReceivedRequest] = []
    var faults = 0
  }

  private let state: Mutex<State>

  /// How many requests went wrong as planned.
  var faults: Int { state.withLock { $0.faults } }
  /// All that were read with their bodies.
  var requests: [ReceivedRequest] { state.withLock { $0.requests } }

  var url: String { "http://127.0.0.1:\(port)" }

  init(_ receiver: any Receiver, _ plan: FaultPlan = .none) throws {
    self.receiver = receiver
    port = try LoopbackServer.closedPort()
    state = Mutex(State(plan: plan))
    try open()
  }

  /// From now on, with numbers from 0.
  func set(_ plan: FaultPlan) {
    state.withLock { state in
      state.plan = plan
      state.number = 0
    }
  }

  /// The port refuses.
  func close() {
    let server = state.withLock { state in
      defer { state.server = nil }
      return state.server
    }
    server?.stop()
  }

  func open() throws {
    let server = try LoopbackServer(port: port) { [weak self] in self?.serve($0) }
    state.withLock { $0.server = server }
  }

  private func serve(_ connection: Connection) {
    while let head = connection.head() {
      if isResetNext(head) { return connection.reset() }
      guard let request = connection.body(of: head) else { return }
      let fault = next(request)
      switch fault {
      case .resetInRequest: return connection.reset()
      case .silent: return connection.hang()
      case .status(let status, let headers): connection.send(Self.failure(status, headers).text)
      case .webPage: connection.send(Answer(200, "<html><body>Log in to the network</body></html>").text)
      case .echo(let status): connection.send(Self.echo(request, status).text)
      case .statusAfterwards(let status):
        _ = receiver.answer(to: request)
        connection.send(Self.failure(status, []).text)
      case .silentAfterwards:
        _ = receiver.answer(to: request)
        return connection.hang()
      case .resetInAnswer:
        connection.send(receiver.answer(to: request).cutText)
        // So that what was sent arrives before the reset does.
        Thread.sleep(forTimeInterval: 0.02)
        return connection.reset()
      case .cut:
        connection.send(receiver.answer(to: request).cutText)
        return
      case .slow: Self.drop(receiver.answer(to: request).text, into: connection)
      case nil: connection.send(receiver.answer(to: request).text)
      }
    }
  }

  /// A reset comes before the body is read, so that the client is still sending a long one.
  private func isResetNext(_ head: ReceivedRequest) -> Bool {
    state.withLock { state in
      guard state.plan.fault(state.number, head) == .resetInRequest else { return false }
      state.number += 1
      state.faults += 1
      return true
    }
  }

  private func next(_ request: ReceivedRequest) -> Fault? {
    state.withLock { state in
      let fault = state.plan.fault(state.number, request)
      state.number += 1
      state.requests.append(request)
      if fault != nil { state.faults += 1 }
      return fault
    }
  }

  private static func failure(_ status: Int, _ headers: [String]) -> Answer {
    Answer(status, "{\"status\":\(status),\"message\":\"planned for the test\"}", headers: headers)
  }

  private static func echo(_ request: ReceivedRequest, _ status: Int) -> Answer {
    Answer(status, ([request.line] + request.headers).joined(separator: " ") + request.text)
  }

  private static func drop(_ text: String, into connection: Connection) {
    let bytes = Array(text.utf8)
    let size = bytes.count / 10 + 1
    for start in stride(from: 0, to: bytes.count, by: size) {
      connection.send(Array(bytes[start..<min(start + size, bytes.count)]))
      Thread.sleep(forTimeInterval: 0.03)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite("No fault of a receiver loses or duplicates a sample", .startsProcesses, .onOwnThreads)
struct FaultMatrixTests {
  private static let faults: [Fault] = [
    .resetInRequest, .resetInAnswer, .silent, .silentAfterwards, .status(500), .statusAfterwards(500), .cut, .slow,
    .status(429, ["Retry-After: 1"]),
  ]

  /// Every fault with every receiver in `make full`. Otherwise every fault with two receivers, and every receiver with
  /// two faults or more.
  private static let pairs = faults.enumerated().flatMap { index, fault in
    TestedSink.allCases.enumerated().filter { position, sink in
      TestedSink.installed.contains(sink) && (TestTier.current == .full || (index + position).isMultiple(of: 4))
    }.map { (fault: fault, sink: $0.element) }
  }

  @Test("a single failed request is sent again at once")
  func once() async throws {
    try await atOnce(Self.pairs) { fault, sink in
      let isSilent = fault == .silent || fault == .silentAfterwards
      // Fewer samples for the receiver that takes one in each request.
      let stock = sink == .nightscoutV3 ? Stock.single : .few
      let sender = try Sender(stock)
      let receiver = try sink.receiver(in: sender.sandbox.url)
      let server = try FaultyServer(receiver, .first(fault))
      try sender.configure(sink.section(server.url, timeout: isSilent ? 1 : ampleSeconds))
      var outcome = try sender.sync(environment: sink.environment)
      if isSilent, outcome.status == 75 {
        // On a very busy machine one second is too short also for the next requests, which have no fault.
        try sender.configure(sink.section(server.url))
        outcome = try sender.sync("--now", environment: sink.environment)
      }
      #expect(outcome.status == 0, "\(sink.rawValue) \(fault): \(outcome.text) \(outcome.errors)")
      #expect(server.faults == 1, "\(sink.rawValue) \(fault)")
      let outbox = try sender.outbox()
      #expect(outbox.pending == 0 && outbox.dead.isEmpty, "\(sink.rawValue) \(fault)")
      expectDelivered(try stock.samples(), receiver, sink, "\(fault)")
      if let webhook = receiver as? WebhookReceiver { #expect(webhook.changed.isEmpty) }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Every fault with every receiver: in the end each sample is there once, or parked with a reason.
@Suite("No fault of a receiver loses or duplicates a sample", .startsProcesses, .onOwnThreads)
struct FaultMatrixTests {
  /// One sink with its receiver, ready to be sent to.
  private struct Line: Sendable {
    let sink: TestedSink
    let sender: Sender
    let receiver: any Receiver
    let server: FaultyServer
    let samples: [Sender.Sample]

    init(_ sink: TestedSink, _ stock: Stock = .few, timeout: Int = ampleSeconds) throws {
      self.sink = sink
      // Fewer samples for the receiver that takes one in each request.
      let stock = sink == .nightscoutV3 ? .single : stock
      sender = try Sender(stock)
      receiver = try sink.receiver(in: sender.sandbox.url)
      server = try FaultyServer(receiver)
      try sender.configure(sink.section(server.url, timeout: timeout))
      samples = try stock.samples()
    }

    func sync(_ arguments: [String] = [], clock hours: Int = 0) throws -> Outcome {
      let clock = hours == 0 ? [:] : try AdvancedClock.environment(hours: hours)
      return try sender.libre(["sync", "--json"] + arguments, environment: sink.environment.merging(clock) { $1 })
    }

    /// Nothing is queued, everything is at the receiver, and only `dead` is parked.
    func expectDone(_ comment: String, dead: Set<String> = []) throws {
      let outbox = try sender.outbox()
      #expect(outbox.pending == 0, "\(sink.rawValue) \(comment)")
      #expect(Set(outbox.dead.keys) == dead, "\(sink.rawValue) \(comment)")
      #expect(outbox.dead.values.allSatisfy { !$0.isEmpty }, "\(sink.rawValue) \(comment)")
      expectDelivered(samples.filter { !dead.contains($0.id) }, receiver, sink, comment)
      if let webhook = receiver as? WebhookReceiver { #expect(webhook.changed.isEmpty) }
    }
  }

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
      let line = try Line(sink, timeout: isSilent ? 1 : ampleSeconds)
      line.server.set(.first(1, fault))
      var outcome = try line.sync()
      if isSilent, outcome.status == 75 {
        // On a very busy machine one second is too short also for the next requests, which have no fault.
        try line.sender.configure(sink.section(line.server.url))
        outcome = try line.sync(["--now"])
      }
      #expect(outcome.status == 0, "\(sink.rawValue) \(fault): \(outcome.text) \(outcome.errors)")
      #expect(line.server.faults == 1, "\(sink.rawValue) \(fault)")
      try line.expectDone("\(fault)")
    }
  }

  /// A captive portal or a proxy answers every request, the first one too.
  @Test("a web page is not accepted as the receiver's answer")
  func webPage() async throws {
    // Any answer of a user's own server is a success, by its documentation.
    try await TestedSink.each([.nightscout, .tidepool, .fhir], except: [.webhook]) { sink in
      let line = try Line(sink)
      line.server.set(.always(.webPage))
      let outcome = try line.sync()
      #expect(outcome.status != 0, "\(sink.rawValue): \(outcome.text)")
      line.server.set(.none)
      if outcome.status == 77 { #expect(try line.sender.libre(["sink", "enable", TestedSink.name]).status == 0) }
      #expect(try line.sync(["--now"]).status == 0, "\(sink.rawValue)")
      try line.expectDone("after a web page")
    }
  }

  @Test("a receiver that is not running or unavailable gets all samples later")
  func later() async throws {
    async let absent: Void = later(nil, [.nightscout, .influx2])
    async let unavailable: Void = later(.status(503), [.nightscoutV3, .fhir])
    _ = try await (absent, unavailable)
  }

  private func later(_ fault: Fault?, _ usual: [TestedSink]) async throws {
    try await TestedSink.each(usual) { sink in
      let line = try Line(sink)
      if let fault { line.server.set(.always(fault)) } else { line.server.close() }
      let outcome = try line.sync()
      #expect(outcome.status == 75, "\(sink.rawValue): \(outcome.text) \(outcome.errors)")
      let events = try outcome.ndjson()
      #expect(events.count { $0["event"].text == "retryScheduled" } == 1)
      #expect(events.filter { $0["event"].text == "failed" }.allSatisfy { $0["outcome"].text == "unavailable" })
      let left = try line.sender.outbox()
      #expect(left.pending == line.samples.count, "\(sink.rawValue)")
      #expect(left.dead.isEmpty)
      if fault == nil { try line.server.open() } else { line.server.set(.none) }
      let second = try line.sync()
      #expect(second.status == 0, "\(sink.rawValue): \(second.text) \(second.errors)")
      try line.expectDone("\(String(describing: fault)), later")
    }
  }

  @Test("batches that are too large are split")
  func tooLarge() async throws {
    try await TestedSink.each([.nightscout, .influx], except: [.nightscoutV3]) { sink in
      let line = try Line(sink)
      line.server.set(.tooMany(over: 10, for: line.receiver))
      let outcome = try line.sync()
      #expect(outcome.status == 0, "\(sink.rawValue): \(outcome.text) \(outcome.errors)")
      #expect(line.server.faults > 1)
      try line.expectDone("413")
    }
  }

  /// Of a hundred records; of a thousand in `make full`.
  @Test("one bad record among many is found, and parked with the receiver's message")
  func oneBad() async throws {
    let isFull = TestTier.current == .full
    try await TestedSink.each([.webhook, .tidepool], except: [.nightscoutV3]) { sink in
      let line = try Line(sink, isFull ? .many : .few)
      #expect(line.samples.count >= (isFull ? 1_000 : 100))
      let bad = line.samples.sorted { $0.value.seconds < $1.value.seconds }[line.samples.count / 2]
      line.server.set(.bad([sink.mark(bad)]))
      let outcome = try line.sync()
      #expect(outcome.status == 0, "\(sink.rawValue): \(outcome.errors)")
      try line.expectDone("one bad", dead: [bad.id])
      let reason = try #require(try line.sender.outbox().dead[bad.id])
      #expect(reason.contains("planned for the test"), "\(sink.rawValue): \(reason)")
      // The receiver takes it when it is retried later.
      line.server.set(.none)
      #expect(try line.sender.libre(["outbox", "retry", "--sink", TestedSink.name]).status == 0)
      #expect(try line.sync().status == 0)
      try line.expectDone("one bad, retried")
    }
  }

  @Test("a receiver that rejects the credentials stops the sink at once, and no sample is lost")
  func refused() async throws {
    try await TestedSink.each([.webhook, .nightscoutV3]) { sink in
      let line = try Line(sink)
      line.server.set(.always(.status(401)))
      let outcome = try line.sync()
      #expect(outcome.status == 77, "\(sink.rawValue): \(outcome.text) \(outcome.errors)")
      #expect(line.server.requests.count <= (sink.hasSession ? 2 : 1), "\(sink.rawValue)")
      // It stays stopped, and the receiver is not asked again.
      let asked = line.server.requests.count
      #expect(try line.sync(["--now"]).status == 77)
      #expect(line.server.requests.count == asked)
      #expect(try line.sender.outbox().pending == line.samples.count)
      line.server.set(.none)
      #expect(try line.sender.libre(["sink", "enable", TestedSink.name], environment: sink.environment).status == 0)
      #expect(try line.sync().status == 0, "\(sink.rawValue)")
      try line.expectDone("401")
    }
  }

  @Test("an expired session is started again, once")
  func session() async throws {
    let sinks = TestedSink.allCases.filter(\.hasSession)
    try await TestedSink.each(sinks, except: TestedSink.allCases.filter { !$0.hasSession }) { sink in
      let line = try Line(sink)
      line.server.set(.requests(3..<4, .status(401)))
      let outcome = try line.sync()
      if sink == .nightscoutV3 {
        #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
        #expect((line.receiver as? NightscoutV3Site)?.sessions == 2)
      }
      #expect(outcome.status == 0)
      try line.expectDone("401 once")
    }
  }

  @Test("a wrong secret causes one failed authentication at the site, not many")
  func wrongSecret() throws {
    let line = try Line(.nightscout)
    let environment = [TestedSink.variable: "not the site's secret"]
    for _ in 0..<3 { #expect(try line.sender.libre(["sync"], environment: environment).status == 77) }
    #expect((line.receiver as? NightscoutSite)?.failures == 1)
  }

  @Test("any mixture of faults loses and duplicates nothing")
  func mixture() async throws {
    let seed = ProcessInfo.processInfo.environment["LIBRE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1...99_999)
    print("FaultMatrixTests: LIBRE_SEED=\(seed)")
    try await TestedSink.each([.webhook, .vital]) { sink in
      let line = try Line(sink)
      line.server.set(
        .random(
          seed,
          among: [.resetInRequest, .resetInAnswer, .status(500), .statusAfterwards(502), .cut, .slow, .status(429)]))
      var outcome = try line.sync(["--now"])
      // Nightscout's version 3 gets each sample in a request of its own, and each may fail three times in a row.
      for _ in 0..<30 where outcome.status == 75 { outcome = try line.sync(["--now"]) }
      #expect(outcome.status == 0, "\(sink.rawValue), seed \(seed): \(outcome.text) \(outcome.errors)")
      try line.expectDone("mixture, seed \(seed)")
    }
  }

  @Test("a receiver that asks for a delay gets it, unless the user passes --now", arguments: [true, false])
  func asksForTime(_ inSeconds: Bool) async throws {
    try await TestedSink.each(inSeconds ? [.nightscout] : [.fhir]) { sink in
      let line = try Line(sink)
      line.server.set(.always(.status(429, ["Retry-After: \(inSeconds ? "7200" : Self.date(hours: 2))"])))
      #expect(try line.sync().status == 75, "\(sink.rawValue)")
      let asked = line.server.requests.count
      #expect(asked == 1, "\(sink.rawValue)")
      line.server.set(.none)
      for hours in [0, 1] {
        #expect(try line.sync(clock: hours).status == 75, "\(sink.rawValue)")
        #expect(line.server.requests.count == asked, "\(sink.rawValue)")
      }
      if inSeconds {
        #expect(try line.sync(clock: 3).status == 0, "\(sink.rawValue)")
      } else {
        #expect(try line.sync(["--now"]).status == 0, "\(sink.rawValue)")
      }
      try line.expectDone("429 for two hours")
    }
  }

  /// A date as in a header of HTTP.
  private static func date(hours: Int) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.string(from: Date().addingTimeInterval(Double(hours) * 3_600))
  }

  @Test("a receiver that is down for a day gets all samples of the day, also those of later scans")
  func day() async throws {
    let times = TestTier.current == .full ? [0, 9, 23] : [0, 23]
    try await TestedSink.each([.nightscout]) { sink in
      let line = try Line(sink)
      line.server.close()
      for (index, hours) in times.enumerated() {
        #expect(try line.sync(clock: hours).status == 75, "\(sink.rawValue) after \(hours) h")
        try line.sender.importDump(
          age: 600 + Stock.step * (4 + index), environment: AdvancedClock.environment(hours: hours))
      }
      try line.server.open()
      #expect(try line.sync(clock: 24).status == 0, "\(sink.rawValue)")
      let samples = try line.sender.samples()
      #expect(samples.count > line.samples.count + 20 * times.count)
      #expect(try line.sender.outbox().pending == 0)
      expectDelivered(samples, line.receiver, sink, "down for a day")
      #expect(line.receiver.held.count == samples.count)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
#if Bluetooth
  import TestSupport
  import Testing

  @Suite("The choice of a meter on a private message bus", .onOwnThreads, .startsProcesses, .needsBluetoothBus)
  struct MeterChoiceTests {
    private static let cuff = "C0:FF:EE:00:00:02"
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// A glucose meter and a cuff, with these facts besides.
    private func household(meter: String, cuff: String) throws -> BluetoothBus {
      let second = #""kind": "pressure", "address": "\#(Self.cuff)", "records": 3, \#(cuff)"#
      return try BluetoothBus(#"{"meters": [{"records": 2, \#(meter)}, {\#(second)}]}"#)
    }

    private func libre(_ bus: BluetoothBus, _ arguments: String...) throws -> Outcome {
      try sandbox.run(["meter"] + arguments, environment: bus.environment)
    }

    /// Addresses of the meters whose records were read.
    private func meters(_ outcome: Outcome) throws -> Set<String?> {
      Set(try outcome.ndjson().map { $0["meter"]["address"].text })
    }

    @Test("a paired meter that is out of range is not found, and nothing is tried after the time to wait")
    func outOfRange() throws {
      let bus = try BluetoothBus(glucose: #""records": 1, "paired": true, "asleep": true"#)
      let outcome = try libre(bus, "read", "--timeout", "1", "--json")
      #expect(outcome.status == 69)
      #expect(try outcome.json()["code"].text == "meter_not_found")
      #expect(outcome.errors.contains("meter+0001 was not found"), "\(outcome.errors)")
    }

    @Test("watch waits without a word for a paired meter that is out of range, and counts what it reads")
    func waiting() throws {
      let bus = try BluetoothBus(glucose: #""records": 2, "paired": true, "asleep": true"#)
      let running = try sandbox.start(
        program: Sandbox.binary, ["meter", "watch", "--timeout", "0.05", "--count", "1", "--ndjson"],
        environment: bus.environment)
      // Three searches have found nothing.
      for _ in 0..<3 {
        try eventually("a search") { try bus.state().discovering }
        try eventually("its end") { try !bus.state().discovering }
      }
      try bus.tell("wake \(BluetoothBus.meter)")
      let outcome = try running.outcome()
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      #expect(outcome.lines.count == 2)
    }

    @Test("of two paired meters the one that is near is read")
    func near() throws {
      let bus = try household(meter: #""paired": true, "asleep": true"#, cuff: #""paired": true"#)
      let outcome = try libre(bus, "read", "--ndjson")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try meters(outcome) == [Self.cuff])
    }

    @Test("watch reads all paired meters, each once while it stays in the air, and no other")
    func household() throws {
      let bus = try household(meter: #""paired": true"#, cuff: #""paired": true"#)
      let outcome = try libre(bus, "watch", "--count", "2", "--ndjson")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try meters(outcome) == [BluetoothBus.meter, Self.cuff])
      #expect(outcome.lines.count == 5)
    }

    @Test("of two meters that are near and not paired none is taken", arguments: ["read", "watch", "pair"])
    func strangers(command: String) throws {
      let bus = try household(meter: #""name": "meter+0001""#, cuff: #""name": "Beurer BM54""#)
      let outcome = try libre(bus, command)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("several meters are possible: meter+0001, Beurer BM54"), "\(outcome.errors)")
      let state = try bus.state()
      #expect(state.isAtRest && state.meters.values.allSatisfy { !$0.paired })
    }

    @Test("a stranger's meter is not taken for one that is paired and out of range, whose name is like it")
    func namesake() throws {
      let bus = try household(meter: #""paired": true, "asleep": true"#, cuff: #""name": "meter+0002""#)
      let outcome = try libre(bus, "read", "meter+", "--timeout", "1")
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("meter+0001 was not found"), "\(outcome.errors)")
      #expect(try bus.state().meters[Self.cuff]?.paired == false)
    }

    @Test("a second meter is paired beside one that is paired already")
    func second() throws {
      let bus = try household(meter: #""paired": true"#, cuff: #""name": "Beurer BM54""#)
      #expect(try libre(bus, "pair").text == "paired Beurer BM54\n")
    }
  }
#endif

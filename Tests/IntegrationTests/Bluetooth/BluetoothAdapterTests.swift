// SPDX-License-Identifier: Apache-2.0
#if Bluetooth
  import CGMModel
  import Meters
  import Synchronization
  import TestSupport
  import Testing

  @testable import Meters

  @Suite("A meter on a private message bus", .startsProcesses, .needsBluetoothBus)
  struct BluetoothAdapterTests {
    /// Long enough for a busy machine: every wait here ends by what it waits for.
    static let ample = Duration.seconds(300)

    @Test("is found by a search, paired with the digits that its display shows, and read")
    func passkey() async throws {
      let bus = try BluetoothBus(glucose: #""records": 5, "passkey": 42"#)
      let adapter = try await BluetoothAdapter.open(environment: bus.environment)
      #expect(adapter.name == "hci0")
      #expect(try await adapter.devices() == [])
      let meter = try await found(adapter)
      #expect(meter.identity == MeterIdentity(address: BluetoothBus.meter, name: "meter+0001"))
      #expect(meter.services == [.glucose])
      #expect(meter.isNear && !meter.isPaired && !meter.isConnected)
      #expect(try bus.state().isAtRest)

      let asked = Mutex<[MeterIdentity]>([])
      let link = try await adapter.connect(meter) { meter in
        asked.withLock { $0.append(meter) }
        return Passkey("000042")
      }
      #expect(asked.withLock(\.self) == [meter.identity])
      #expect(try bus.state().meters[BluetoothBus.meter]?.connected == true)
      #expect(link.characteristics.isSuperset(of: [.glucoseMeasurement, .recordAccess, .serialNumber, .currentTime]))
      #expect(await link.perform(.read(.modelNumber), within: Self.ample) == .value(.modelNumber, Array("MM-1".utf8)))
      #expect(await link.perform(.read(.dateTime), within: Self.ample) == .refused(.absent))
      let sent = await sent(by: link)
      #expect(sent.measurements == [0, 1, 2, 3, 4])
      #expect(sent.contexts == [0])
      #expect(sent.end == .value(.recordAccess, [6, 0, 1, 1]))
      await link.disconnect()
      #expect(try await adapter.devices().map(\.isPaired) == [true])
      await adapter.close()

      let state = try bus.state()
      #expect(state.isAtRest)
      #expect(state.meters[BluetoothBus.meter]?.trusted == true)
      for write in try #require(state.meters[BluetoothBus.meter]).written {
        #expect(write[0] == "2a52" && write[2] == "request")
      }
    }

    @Test("is paired without a question if it asks for no digits")
    func justWorks() async throws {
      let bus = try BluetoothBus(glucose: #""records": 1"#)
      let adapter = try await BluetoothAdapter.open(environment: bus.environment)
      try await adapter.pair(found(adapter), passkey: nil)
      let state = try bus.state()
      #expect(state.isAtRest)
      #expect(state.meters[BluetoothBus.meter]?.paired == true)
      await adapter.close()
    }

    @Test("gives all of 500 records, and a new one on the next connection")
    func many() async throws {
      let bus = try BluetoothBus(glucose: #""records": 500, "paired": true"#)
      let adapter = try await BluetoothAdapter.open(environment: bus.environment)
      let meter = try await found(adapter)
      let link = try await adapter.connect(meter)
      #expect(await sent(by: link).measurements == Array(0..<500))
      await link.disconnect()
      try bus.tell("record \(BluetoothBus.meter)")
      let second = try await adapter.connect(meter)
      #expect(await sent(by: second, .report(from: 500)).measurements == [500])
      await second.disconnect()
      await adapter.close()
      #expect(try bus.state().isAtRest)
    }

    @Test(
      "may send its contexts late, send twice, or end the link by itself",
      arguments: ["", "late-context", "disconnects", "double", "no-filter"])
    func harmless(_ fault: String) async throws {
      let bus = try BluetoothBus(glucose: #""records": 12, "paired": true, "faults": ["\#(fault)"]"#)
      let adapter = try await BluetoothAdapter.open(environment: bus.environment)
      let kept = Mutex<[MeterRecord]>([])
      let reading = await MeterTransfer.run(over: try await adapter.connect(found(adapter))) { _, records in
        kept.withLock { $0 += records }
      }
      #expect(reading.failure == nil)
      let records = reading.records.compactMap(\.glucose)
      #expect(records.map(\.sequenceNumber) == Array(0..<12))
      #expect(records.filter { $0.context != nil }.map(\.sequenceNumber) == [0, 10])
      #expect(kept.withLock(\.self) == reading.records)
      #expect(reading.meter.serialNumber == "SN-0001")
      await adapter.close()
      #expect(try bus.state().isAtRest)
    }

    @Test("that vanishes in the middle leaves the records that it sent")
    func vanishes() async throws {
      let bus = try BluetoothBus(glucose: #""records": 12, "paired": true, "faults": ["vanishes"]"#)
      let adapter = try await BluetoothAdapter.open(environment: bus.environment)
      let link = try await adapter.connect(found(adapter))
      let sent = await sent(by: link)
      #expect(sent.measurements == [0, 1])
      #expect(sent.end == .disconnected)
      #expect(await link.perform(.read(.maker), within: Self.ample) == .disconnected)
      await link.disconnect()
      await adapter.close()
      #expect(try bus.state().isAtRest)
    }

    @Test("can be a cuff that deletes what it has sent")
    func cuff() async throws {
      let bus = try BluetoothBus(cuff: #""records": 3, "passkey": 123456, "faults": ["deletes", "disconnects"]"#)
      let adapter = try await BluetoothAdapter.open(environment: bus.environment)
      let meter = try await found(adapter)
      #expect(meter.services == [.bloodPressure])
      let link = try await adapter.connect(meter) { _ in Passkey("123456") }
      #expect(await link.perform(.subscribe(.bloodPressureMeasurement), within: Self.ample) == .accepted)
      var events: [MeterEvent] = []
      repeat { events.append(await link.nextEvent(within: Self.ample)) } while events.last != .disconnected
      #expect(events.count == 4)
      #expect(
        events.first.map { if case .value(.bloodPressureMeasurement, let bytes) = $0 { bytes.count } else { 0 } } == 19)
      await link.disconnect()
      await adapter.close()
      let state = try bus.state()
      #expect(state.isAtRest)
      #expect(state.meters[BluetoothBus.meter]?.left == 0)
    }

    @Test("is forgotten on request")
    func forget() async throws {
      let bus = try BluetoothBus(glucose: #""records": 1, "paired": true"#)
      let adapter = try await BluetoothAdapter.open(environment: bus.environment)
      let meter = try #require(await adapter.devices().first)
      #expect(meter.isPaired && !meter.isNear)
      try await adapter.forget(meter)
      #expect(try await adapter.devices() == [])
      await #expect(throws: BluetoothError.notFound(meter: "meter+0001")) { try await adapter.forget(meter) }
      await adapter.close()
    }

    // MARK: Faults

    struct Fault: Sendable, CustomTestStringConvertible {
      let title: String
      let facts: String
      let error: BluetoothError
      var passkey: String?
      /// Short only where the silence of the meter is what is waited for.
      var timeouts = BluetoothTimeouts(connect: .seconds(300), pair: .seconds(300), resolve: .seconds(300))
      var testDescription: String { title }
    }

    static let name = "meter+0001"
    static let faults = [
      Fault(
        title: "wrong digits", facts: #""passkey": 123456"#, error: .passkeyRefused(meter: name), passkey: "654321"),
      Fault(
        title: "no digits from the user", facts: #""passkey": 123456"#, error: .pairingCancelled(meter: name),
        passkey: ""),
      Fault(title: "nobody to ask for digits", facts: #""passkey": 123456"#, error: .passkeyNeeded(meter: name)),
      Fault(
        title: "a meter that rejects the pairing", facts: #""faults": ["refuses-pair"]"#,
        error: .pairingRefused(meter: name, reason: "it rejects this machine")),
      Fault(
        title: "a meter that is silent while it pairs", facts: #""faults": ["silent-pair"]"#,
        error: .pairingTimedOut(meter: name), timeouts: BluetoothTimeouts(pair: .seconds(1))),
      Fault(
        title: "a meter that cannot be connected", facts: #""paired": true, "faults": ["refuses-connect"]"#,
        error: .outOfReach(meter: name, reason: "le-connection-abort-by-local")),
      Fault(
        title: "a meter that is silent while it is connected", facts: #""paired": true, "faults": ["silent-connect"]"#,
        error: .outOfReach(meter: name, reason: "no answer within 1 s"),
        timeouts: BluetoothTimeouts(connect: .seconds(1))),
      Fault(
        title: "a meter that does not list its services", facts: #""paired": true, "faults": ["unresolved"]"#,
        error: .outOfReach(meter: name, reason: "it did not list its services in time"),
        timeouts: BluetoothTimeouts(connect: .seconds(300), resolve: .seconds(1))),
      Fault(
        title: "a meter that has forgotten the pairing", facts: #""paired": true, "faults": ["wrong-key"]"#,
        error: .pairingForgotten(meter: name)),
    ]

    @Test("leaves the adapter as it was after an error", arguments: faults)
    func fault(_ fault: Fault) async throws {
      let bus = try BluetoothBus(glucose: #""records": 3, \#(fault.facts)"#)
      let adapter = try await BluetoothAdapter.open(timeouts: fault.timeouts) { () throws(BluetoothError) in
        try BluetoothAdapter.systemBus(bus.environment)
      }
      let meter = try await found(adapter)
      let source: PasskeySource? = fault.passkey.map { digits in { @Sendable _ in Passkey(digits) } }
      await #expect(throws: fault.error) { try await adapter.connect(meter, passkey: source) }
      #expect(try bus.state().isAtRest)
      await adapter.close()
    }

    @Test("cannot be searched for without an adapter, or with one that is off or busy")
    func adapters() async throws {
      let none = try BluetoothBus(#"{"adapter": false}"#)
      await #expect(throws: BluetoothError.noAdapter) { try await BluetoothAdapter.open(environment: none.environment) }
      let off = try BluetoothBus(#"{"adapter": "off"}"#)
      let adapter = try await BluetoothAdapter.open(environment: off.environment)
      await #expect(throws: BluetoothError.adapterOff(name: "hci0", BluetoothReport.radioBlock(root: ""))) {
        try await adapter.search(within: Self.ample)
      }
      #expect(try off.state().powered == false)
      await adapter.close()
      let busy = try BluetoothBus(#"{"busy": true}"#)
      let other = try await BluetoothAdapter.open(environment: busy.environment)
      await #expect(throws: BluetoothError.adapterBusy(name: "hci0")) { try await other.search(within: Self.ample) }
      await other.close()
    }

    @Test("cannot be reached without bluetoothd or without a bus")
    func services() async throws {
      let bus = try BluetoothBus(#"{"daemon": false}"#)
      await #expect(throws: BluetoothError.noDaemon) { try await BluetoothAdapter.open(environment: bus.environment) }
      let error = await #expect(throws: BluetoothError.self) {
        try await BluetoothAdapter.open(environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
      }
      #expect(error == .noBus(reason: "No such file or directory"))
    }

    @Test("is lost when bluetoothd ends, during a search and on a link")
    func daemonEnds() async throws {
      let bus = try BluetoothBus(glucose: #""records": 3, "paired": true"#)
      let adapter = try await BluetoothAdapter.open(environment: bus.environment)
      let link = try await adapter.connect(found(adapter))
      try bus.tell("daemon off")
      #expect(await link.nextEvent(within: Self.ample) == .disconnected)
      #expect(await link.perform(.read(.maker), within: Self.ample) == .disconnected)
      await #expect(throws: BluetoothError.noDaemon) { try await adapter.search(within: Self.ample) }
      await link.disconnect()
      await adapter.close()
    }

    @Test("is disconnected when the task is cancelled, and a search ends")
    func cancelled() async throws {
      let bus = try BluetoothBus(glucose: #""records": 3, "asleep": true, "faults": ["silent-connect"]"#)
      let adapter = try await BluetoothAdapter.open(environment: bus.environment)
      let search = Task { try await adapter.search(within: Self.ample) }
      try eventually("the search runs") { try bus.state().discovering }
      search.cancel()
      await #expect(throws: BluetoothError.cancelled) { try await search.value }
      await adapter.close()
      try eventually("the search has ended") { try bus.state().isAtRest }
    }

    @Test("is no longer paired when the task is cancelled while the user is asked for digits")
    func cancelledPairing() async throws {
      let bus = try BluetoothBus(glucose: #""records": 3, "passkey": 123456"#)
      let adapter = try await BluetoothAdapter.open(environment: bus.environment)
      let meter = try await found(adapter)
      let asked = AsyncStream<Void>.makeStream()
      let ended = AsyncStream<Void>.makeStream()
      let pairing = Task {
        try await adapter.connect(meter) { _ in
          asked.continuation.yield()
          // A user who never types anything: it ends with the question.
          for await _ in AsyncStream<Void>.makeStream().stream {}
          ended.continuation.yield()
          return nil
        }
      }
      for await _ in asked.stream { break }
      pairing.cancel()
      await #expect(throws: BluetoothError.cancelled) { _ = try await pairing.value }
      for await _ in ended.stream { break }
      await adapter.close()
      let state = try bus.state()
      #expect(state.isAtRest)
      #expect(state.cancelled == 1)
      #expect(state.meters[BluetoothBus.meter]?.paired == false)
    }

    @Test("can be read after a program was killed while it read it")
    func killed() async throws {
      let bus = try BluetoothBus(glucose: #""records": 30, "paired": true"#)
      let first = try await BluetoothAdapter.open(environment: bus.environment)
      let link = try await first.connect(found(first))
      for characteristic in [MeterCharacteristic.glucoseMeasurement, .recordAccess] {
        #expect(await link.perform(.subscribe(characteristic), within: Self.ample) == .accepted)
      }
      #expect(await link.perform(.records(.reportAll), within: Self.ample) == .accepted)
      // The connection to the bus ends as it does with the process; the link to the meter stays.
      await first.close()
      try eventually("bluetoothd has noticed") { try bus.state().agents == 0 }
      #expect(try bus.state().meters[BluetoothBus.meter]?.connected == true)

      let second = try await BluetoothAdapter.open(environment: bus.environment)
      let meter = try #require(await second.devices().first)
      #expect(meter.isConnected && meter.isNear)
      let again = try await second.connect(meter)
      #expect(await sent(by: again).measurements == Array(0..<30))
      await again.disconnect()
      await second.close()
      #expect(try bus.state().isAtRest)
    }

    // MARK: Helpers

    func found(_ adapter: BluetoothAdapter) async throws -> FoundMeter {
      let all = try await adapter.search(within: Self.ample) { $0.contains(where: \.isNear) }
      return try #require(all.first { $0.isNear })
    }

    /// The answer of a glucose meter to a request for records: the numbers in the order of arrival, and the first
    /// event that is neither a measurement nor a context.
    func sent(
      by link: any MeterLink, _ request: RecordAccessRequest = .reportAll
    ) async -> (measurements: [Int], contexts: [Int], end: MeterEvent) {
      for characteristic in [MeterCharacteristic.glucoseMeasurement, .glucoseContext, .recordAccess] {
        let answer = await link.perform(.subscribe(characteristic), within: Self.ample)
        if answer != .accepted { return ([], [], answer) }
      }
      let answer = await link.perform(.records(request), within: Self.ample)
      if answer != .accepted { return ([], [], answer) }
      var measurements: [Int] = []
      var contexts: [Int] = []
      while true {
        switch await link.nextEvent(within: Self.ample) {
        case .value(.glucoseMeasurement, let bytes): measurements.append(Int(bytes[1]) | Int(bytes[2]) << 8)
        case .value(.glucoseContext, let bytes): contexts.append(Int(bytes[1]) | Int(bytes[2]) << 8)
        case let event: return (measurements, contexts, event)
        }
      }
    }
  }
#endif

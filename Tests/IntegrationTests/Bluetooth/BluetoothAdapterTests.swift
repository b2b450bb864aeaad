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
      let link = try await adapter.connect(meter) { question in
        asked.withLock { $0.append(question.meter) }
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

    // MARK: Faults

    @Test("cannot be reached without a bus, bluetoothd or an adapter, or while another program searches")
    func obstacles() async throws {
      await #expect(throws: BluetoothError.noBus(reason: "No such file or directory")) {
        try await BluetoothAdapter.open(environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
      }
      for (facts, error) in [(#"{"daemon": false}"#, BluetoothError.noDaemon), (#"{"adapter": false}"#, .noAdapter)] {
        let bus = try BluetoothBus(facts)
        await #expect(throws: error) { try await BluetoothAdapter.open(environment: bus.environment) }
      }
      let busy = try BluetoothBus(#"{"busy": true}"#)
      let adapter = try await BluetoothAdapter.open(environment: busy.environment)
      await #expect(throws: BluetoothError.adapterBusy(name: "hci0")) { try await adapter.search(within: Self.ample) }
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

    // MARK: Helpers

    func found(_ adapter: BluetoothAdapter) async throws -> FoundMeter {
      let all = try await adapter.search(within: Self.ample) { $0.contains(where: \.isNear) }
      return try #require(all.first { $0.isNear })
    }

    /// The answer of a glucose meter to the request for all records: the numbers in the order of arrival, and the first
    /// event that is neither a measurement nor a context.
    func sent(by link: any MeterLink) async -> (measurements: [Int], contexts: [Int], end: MeterEvent) {
      for characteristic in [MeterCharacteristic.glucoseMeasurement, .glucoseContext, .recordAccess] {
        let answer = await link.perform(.subscribe(characteristic), within: Self.ample)
        if answer != .accepted { return ([], [], answer) }
      }
      let answer = await link.perform(.records(.reportAll), within: Self.ample)
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

// SPDX-License-Identifier: Apache-2.0
#if Bluetooth
  import Glibc
  import TestSupport
  import Testing

  @Suite("The meter commands on a private message bus", .onOwnThreads, .startsProcesses, .needsBluetoothBus)
  struct MeterCommandTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Runs `libre` on a bus.
    private func libre(_ bus: BluetoothBus, _ arguments: String...) throws -> Outcome {
      try sandbox.run(arguments, environment: bus.environment)
    }

    /// Reads the meter and returns the records by outcome.
    private func read(_ bus: BluetoothBus, _ more: String...) throws -> [String: Int] {
      let outcome = try sandbox.run(["meter", "read", "--json"] + more, environment: bus.environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let records = try outcome.json()["records"].elements
      return Dictionary(grouping: records) { $0["outcome"].text ?? "" }.mapValues(\.count)
    }

    /// The finger-sticks of the store: time and value, oldest first.
    private func fingerSticks() throws -> [String] {
      let rows = try sandbox.run("history", "--from", "all", "--finger-sticks", "--csv").lines
      return rows.dropFirst().filter { $0.contains("finger_stick") }
    }

    @Test("500 records are read at once, then none is new, then one")
    func increments() throws {
      let bus = try BluetoothBus(glucose: #""records": 500, "passkey": 123456"#)
      #expect(try read(bus, "--passkey", "123456") == ["new": 500])
      #expect(try fingerSticks().count == 500)
      #expect(try read(bus) == ["known": 1])
      try bus.tell("record \(BluetoothBus.meter)")
      #expect(try read(bus) == ["known": 1, "new": 1])
      #expect(try bus.state().isAtRest)
      #expect(try fingerSticks().count == 501)
    }

    @Test("a reader that is killed in the middle loses no record and stores none twice")
    func killed() throws {
      let bus = try BluetoothBus(glucose: #""records": 40, "paired": true, "faults": ["silent-records"]"#)
      let running = try sandbox.start(
        program: Sandbox.binary, ["meter", "read"], environment: bus.environment)
      // The meter has sent its records by then, and never says that it is done.
      try eventually("a request for the records") {
        try bus.state().meters[BluetoothBus.meter]?.written.contains { $0[1] == "0101" } ?? false
      }
      running.send(SIGKILL)
      let ended = try running.outcome()
      #expect(ended.status == 128 + SIGKILL, "\(ended)")
      try bus.tell("break \(BluetoothBus.meter)")
      try bus.tell("fault \(BluetoothBus.meter)")
      #expect(try read(bus) == ["new": 40])
      let sticks = try fingerSticks()
      #expect(sticks.count == 40)
      #expect(Set(sticks).count == 40)
      #expect(try read(bus) == ["known": 1])
    }

    @Test("a cuff that deletes what it sent is stored before the connection ends")
    func deletingCuff() throws {
      let bus = try BluetoothBus(cuff: #""records": 6, "paired": true, "faults": ["deletes"]"#)
      #expect(try read(bus) == ["new": 6])
      #expect(try bus.state().meters[BluetoothBus.meter]?.left == 0)
      let meters = try libre(bus, "meters", "--json").json()["meters"].elements
      #expect(meters.map { $0["blood_pressures"].number } == [6])
    }

    @Test("wrong digits are refused with a way out; the digits are asked for on the terminal")
    func digits() throws {
      let bus = try BluetoothBus(glucose: #""records": 3, "passkey": 42"#)
      let wrong = try libre(bus, "meter", "pair", "--passkey", "43")
      #expect(wrong.status == 77)
      #expect(wrong.errors.contains("did not accept the digits"))
      let terminal = try sandbox.terminal(["meter", "pair"], environment: bus.environment)
      try terminal.waits(for: "Digits on the display of meter+0001: ")
      terminal.type("000042\n")
      try terminal.waits(for: "paired meter+0001")
      #expect(terminal.status() == 0)
      #expect(try bus.state().meters[BluetoothBus.meter]?.paired == true)
      #expect(try bus.state().isAtRest)
    }

    @Test("digits that both sides show are shown, and the meter is paired only if the user says that they are the same")
    func comparison() throws {
      let bus = try BluetoothBus(glucose: #""records": 3, "compares": 3516"#)
      for digits in [[], ["--passkey", "1"]] {
        let outcome = try sandbox.run(["meter", "pair"] + digits, environment: bus.environment)
        #expect(outcome.status == 77)
        #expect(outcome.errors.contains("Try: libre meter pair 'meter+0001' at a terminal"), "\(outcome.errors)")
      }
      for (answer, status) in [("n\n", Int32(77)), ("y\n", 0)] {
        #expect(try bus.state().meters[BluetoothBus.meter]?.paired == false)
        let terminal = try sandbox.terminal(["meter", "pair"], environment: bus.environment)
        try terminal.waits(for: "Does meter+0001 show 003516, too? [y/N] ")
        terminal.type(answer)
        #expect(terminal.status() == status)
      }
      #expect(try bus.state().meters[BluetoothBus.meter]?.paired == true)
    }

    @Test(
      "a meter that has no pairing, or whose pairing is too weak for what it wants now, is read",
      arguments: [
        (#""faults": ["no-pairing"]"#, false), (#""passkey": 42, "paired": true, "faults": ["weak-bond"]"#, true),
      ])
    func oddPairing(facts: String, isPaired: Bool) throws {
      let bus = try BluetoothBus(glucose: #""records": 3, \#(facts)"#)
      #expect(try read(bus, "--passkey", "000042") == ["new": 3])
      #expect(try bus.state().meters[BluetoothBus.meter]?.paired == isPaired)
    }

    @Test("a meter that has forgotten its pairing is named with the way out, which works")
    func pairingForgotten() throws {
      let bus = try BluetoothBus(glucose: #""records": 3, "paired": true, "faults": ["wrong-key"]"#)
      for command in [["read"], ["pair", "meter+"], ["watch"]] {
        let outcome = try sandbox.run(["meter"] + command, environment: bus.environment)
        #expect(outcome.status == 77)
        #expect(outcome.errors.contains("one side has forgotten the pairing"), "\(outcome.errors)")
        #expect(outcome.errors.contains("libre meter forget 'meter+0001'"))
      }
      #expect(try libre(bus, "meter", "forget", "meter+").status == 0)
      try bus.tell("fault \(BluetoothBus.meter)")
      #expect(try libre(bus, "meter", "pair").status == 0)
      #expect(try read(bus) == ["new": 3])
    }

    @Test("a forgotten meter keeps its values unless they are to be removed")
    func forgotten() throws {
      let bus = try BluetoothBus(glucose: #""records": 5, "paired": true"#)
      #expect(try read(bus) == ["new": 5])
      #expect(try libre(bus, "meter", "forget", "meter+", "--remove-values").status == 64)
      #expect(try libre(bus, "meter", "forget", "meter+").status == 0)
      #expect(try bus.state().meters[BluetoothBus.meter]?.paired == false)
      #expect(try fingerSticks().count == 5)
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CGMModel
  import Foundation
  import NFCTransport
  import Libre1Core
  import TestSupport
  import Testing

  /// The built command on real pcscds, each with virtual readers of its own.
  @Suite("libre on PC/SC readers", .onOwnThreads, .needsPCSCDaemon, .startsProcesses)
  struct PCSCCommandTests {
    private let sandbox: Sandbox
    private static let good = VirtualReader.Spec(name: "ACS ACR1552 1S CL Reader PICC")
    private static let unable = VirtualReader.Spec(name: "ACS ACR122U PICC Interface")

    init() throws { sandbox = try Sandbox() }

    private func libre(_ daemon: PCSCDaemon, _ arguments: String...) async throws -> Outcome {
      try await libre(environment: daemon.environment, arguments)
    }

    private func libre(environment: [String: String], _ arguments: [String]) async throws -> Outcome {
      try await sandbox.libre(arguments, environment: environment)
    }

    private static func image(_ scenario: String, seed: UInt64 = 7) throws -> MemoryImage {
      try #require(Scenario.named(scenario)).image(seed: seed)
    }

    private static func tag(_ image: MemoryImage) throws -> SimulatedTag {
      SimulatedTag(memory: image.bytes, uid: try #require(image.uid), patchInfo: image.patchInfo)
    }

    private static func card(
      _ image: MemoryImage, _ dialect: VirtualCard.Dialect = .transparentSession,
      faults: [Int: VirtualCard.Fault] = [:]
    ) throws -> VirtualCard {
      VirtualCard(
        dialect, tag: try Self.tag(image), uid: try #require(image.uid).bytes, faults: faults)
    }

    /// The session was ended, and the card's power switched off after it.
    private func expectFieldOff(_ card: VirtualCard) async throws {
      // vpcd does not wait until the card has heard of it.
      try await eventually("the field is off") { await card.powerChanges.last == false }
      #expect(await card.commands.last == [0xFF, 0xC2, 0x00, 0x00, 0x02, 0x82, 0x00, 0x00])
    }

    // MARK: A clean read

    private static let scenarios = ["active", "first-hour", "expired", "gaps"]

    /// Each dialect with one scenario, and with all of them in `make full`.
    private static let conversations: [(VirtualCard.Dialect, [String])] = VirtualCard.Dialect.allCases.enumerated()
      .map { index, dialect in
        (dialect, TestTier.current == .full ? scenarios : [scenarios[index % scenarios.count]])
      }

    @Test("read prints in every dialect the same as decode for the same memory", arguments: conversations)
    func dialects(_ dialect: VirtualCard.Dialect, _ scenarios: [String]) async throws {
      let names = scenarios.map { "Virtual reader \($0)" }
      let images = try scenarios.map { try Self.image($0) }
      let cards = try images.map { try Self.card($0, dialect) }
      try await PCSCDaemon.run(readers: names.map { .init(name: $0) }) { daemon in
        for (index, card) in cards.enumerated() { try await daemon.reader(index).insert(card) }
        var readings: [JSONValue] = []
        for (index, scenario) in scenarios.enumerated() {
          let (image, card) = (images[index], cards[index])
          let outcome = try await libre(
            daemon, "read", "--json", "--reader", "pcsc:\(names[index])", "--save", "\(scenario).hex", "-v")
          #expect(outcome.status == 0, "\(outcome.errors)")
          let reading = try outcome.json()
          readings.append(reading)
          try sandbox.write(image.bytes, to: "\(scenario).bin")
          #expect(!reading["history"].elements.isEmpty && !reading["trend"].elements.isEmpty)
          #expect(reading["sensor"]["uid"].text == image.uid?.description)
          #expect(reading["reader"]["dialect"].text == dialect.rawValue)
          #expect(reading["reader"]["name"].text?.hasPrefix(names[index]) == true)
          // A reader that cannot ask for the patch info still finds the family, from UID and memory, and says so.
          let patchInfo = dialect == .readBinary ? nil : image.patchInfo?.description
          #expect(reading["sensor"]["patch_info"].text == patchInfo)
          #expect(reading["sensor"]["family"] == .string("libre1"))
          let codes = reading["problems"].elements.map { $0["code"] }
          #expect(codes.contains(.string("family_without_patch_info")) == (patchInfo == nil))
          // NFCTransport/ReadingOverTheAir, "Timing": 15 runs, or 43 single blocks.
          let (reads, airTime) = dialect == .readBinary ? (43, 259.0) : (15, 171.6)
          let carried = await card.carried
          #expect(carried.count { $0 == .block || $0 == .blocks } == reads)
          #expect(carried.count { $0 == .patchInfo } == (dialect == .readBinary ? 0 : 1))
          #expect(!carried.contains(.forbidden))
          #expect(outcome.errors.contains("block_reads=\(reads)"))
          let reported = try #require(outcome.errors.firstMatch(of: /air_time_ms=([0-9.]+)/).flatMap { Double($0.1) })
          #expect(abs(reported - airTime) < 0.2, "\(reported)")
        }
        let files = scenarios.flatMap { ["\($0).bin", "\($0).hex"] }
        let decoded = try await libre(environment: daemon.environment, ["decode", "--ndjson"] + files).ndjson()
        try #require(decoded.count == files.count)
        for (index, reading) in readings.enumerated() {
          #expect(reading.measured == decoded[2 * index].measured)
          #expect(reading.measured == decoded[2 * index + 1].measured, "the saved dump of \(scenarios[index])")
        }
      }
    }

    @Test("the field is off when read is done")
    func fieldOff() async throws {
      try await PCSCDaemon.run(readers: [Self.good]) { daemon in
        let card = try Self.card(try Self.image("active"))
        try await daemon.reader(0).insert(card)
        #expect(try await libre(daemon, "read", "--csv").status == 0)
        try await expectFieldOff(card)
      }
    }

    // MARK: Bad luck

    @Test("a sensor that is removed and comes back is read from where the read stopped, not from the start")
    func tappedAgain() async throws {
      try await PCSCDaemon.run(readers: [Self.good]) { daemon in
        let image = try Self.image("active")
        // The eighth exchange with the tag asks for blocks 18 to 20.
        let first = try Self.card(image, faults: [8: .removal])
        try await daemon.reader(0).insert(first)
        async let running = libre(daemon, "read", "--json")
        try await daemon.waitsUntil(.removal, wasSeen: 1)
        let second = try Self.card(image)
        try await daemon.reader(0).insert(second)
        let outcome = try await running
        #expect(outcome.status == 0, "\(outcome.errors)")
        try sandbox.write(image.bytes, to: "dump.bin")
        #expect(
          try await outcome.json().measured == libre(daemon, "decode", "--json", "dump.bin").json().measured)
        let carried = await second.carried
        // 18 to 42 are 25 blocks: seven runs of three, block 39, and the footer. No header, no patch info again.
        #expect(carried.count { $0 == .block || $0 == .blocks } == 9, "\(carried)")
        #expect(!carried.contains(.patchInfo))
      }
    }

    @Test("a sensor that does not come back is reported, and the incomplete memory is kept and marked")
    func lost() async throws {
      try await PCSCDaemon.run(readers: [Self.good]) { daemon in
        // Nothing ends the wait for the sensor but its timeout. A longer one follows where it was over before a busy
        // machine had found the sensor.
        for seconds in ["2", "20", "200"] {
          let card = try Self.card(try Self.image("active"), faults: [8: .removal])
          try await daemon.reader(0).insert(card)
          let outcome = try await libre(daemon, "read", "--json", "--timeout", seconds, "--save", "half.hex")
          if await card.carried.isEmpty { continue }
          #expect(outcome.status == 69)
          #expect(try outcome.json()["code"] == .string("tag_lost"))
          #expect(outcome.errors.contains("while reading block 18"), "\(outcome.errors)")
          let kept = try String(contentsOfFile: sandbox.path("half.hex"), encoding: .utf8)
          #expect(kept.contains("# missing-blocks: 18-42") && kept.contains("# uid: E007A0"))
          return
        }
        Issue.record("the sensor was never found")
      }
    }

    /// Two seconds pass until the exchange counts as unanswered, and four until `libre` has let go of the reader: both
    /// cases run at the same time.
    @Test("a reader that hangs is abandoned, and the incomplete memory is kept")
    func hanging() async throws {
      async let early = keptByHangingRead(at: 1)
      async let late = keptByHangingRead(at: 5)
      #expect(try await early == nil)
      #expect(try await late?.contains("# missing-blocks: 9-42") == true)
    }

    /// The dump of a read in which the reader does not come back from this exchange with the sensor.
    private func keptByHangingRead(at exchange: Int) async throws -> String? {
      let file = "half-\(exchange).hex"
      // A busy machine may take longer than two seconds for one of the exchanges before.
      for _ in 0..<5 {
        let (outcome, carried) = try await PCSCDaemon.run(readers: [Self.good]) { daemon in
          let card = try Self.card(try Self.image("active"), faults: [exchange: .hang])
          try await daemon.reader(0).insert(card)
          return (try await libre(daemon, "read", "--json", "--save", file), await card.carried)
        }
        #expect(outcome.status == 69, "\(outcome.errors)")
        #expect(try outcome.json()["code"] == .string("reader_silent"))
        if carried.count == exchange { break }
      }
      return try? String(contentsOfFile: sandbox.path(file), encoding: .utf8)
    }

    @Test("a missing sensor, another kind of card and another program each have their own error")
    func others() async throws {
      try await PCSCDaemon.run(readers: [Self.good]) { daemon in
        func expect(_ code: String, _ status: Int32, _ arguments: [String]) async throws {
          let outcome = try await libre(environment: daemon.environment, ["read", "--json"] + arguments)
          #expect(outcome.status == status, "\(outcome.errors)")
          #expect(try outcome.json()["code"] == .string(code))
          #expect(outcome.errors.contains("\n  Try: "))
        }
        try await expect("no_tag", 69, ["--timeout", "0.3"])
        try await expect("no_reader_named", 69, ["--reader", "pcsc:SpringCard"])
        try await daemon.reader(0).insert(VirtualCard(atr: VirtualCard.pass))
        try await expect("other_card", 65, ["--reader", "pcsc:ACR1552"])
        daemon.reader(0).remove()
        try await daemon.waitsUntil(.removal, wasSeen: 1)
        let skiPass = try #require(SensorUID(bits: 0xE004_0100_0000_0001))
        let tag = SimulatedTag(memory: [UInt8](repeating: 0, count: 112), uid: skiPass, patchInfo: nil)
        try await daemon.reader(0).insert(VirtualCard(.transparentSession, tag: tag, uid: skiPass.bytes))
        try await expect("other_tag", 65, [])
      }
    }

    @Test("a reader without ISO 15693 is refused by name")
    func unableReader() async throws {
      try await PCSCDaemon.run(readers: [Self.unable]) { daemon in
        let outcome = try await libre(daemon, "read", "--json")
        #expect(outcome.status == 69)
        #expect(try outcome.json()["code"] == .string("reader_lacks_15693"))
        #expect(outcome.errors.contains("ACR122U") && outcome.errors.contains("libre readers --supported"))
      }
    }

    @Test("Ctrl-C ends the wait for a sensor, with status 130")
    func interrupted() async throws {
      try await PCSCDaemon.run(readers: [Self.good]) { daemon in
        let read = try start(daemon, "read", "--json", "--timeout", "86400")
        try await daemon.waitsUntil(.wait, wasSeen: 2)
        read.send(SIGINT)
        let outcome = try await blocking { try read.outcome() }
        #expect(outcome.status == 130)
        #expect(try outcome.json()["code"] == .string("interrupted"))
      }
    }

    @Test("Ctrl-C in the middle of a read switches the field off")
    func interruptedRead() async throws {
      try await PCSCDaemon.run(readers: [Self.good]) { daemon in
        let card = try Self.card(try Self.image("active"))
        try await daemon.reader(0).insert(card)
        let watch = try start(daemon, "watch", "--ndjson", "--interval", "86400")
        try await eventually("one reading") { () async throws in try !watch.lines().isEmpty }
        watch.send(SIGINT)
        let outcome = try await blocking { try watch.outcome() }
        #expect(outcome.status == 130)
        #expect(outcome.lines.count == 1)
        try await expectFieldOff(card)
      }
    }

    private func start(_ daemon: PCSCDaemon, _ arguments: String...) throws -> RunningProgram {
      try sandbox.start(program: Sandbox.binary, arguments, environment: daemon.environment)
    }

    @Test("watch reads at every tap, whatever the interval", arguments: [[], ["--interval", "86400"]])
    func watch(_ options: [String]) async throws {
      try await PCSCDaemon.run(readers: [Self.good]) { daemon in
        let cards = try ["active", "expired"].map { try Self.card(try Self.image($0)) }
        async let running = libre(environment: daemon.environment, ["watch", "--ndjson", "--count", "2"] + options)
        try await daemon.reader(0).insert(cards[0])
        // The field goes off when the read is done.
        try await eventually("the first read is done") {
          let (carried, powerChanges) = (await cards[0].carried, await cards[0].powerChanges)
          return carried.count >= 16 && powerChanges.last == false
        }
        daemon.reader(0).remove()
        try await daemon.waitsUntil(.removal, wasSeen: 1)
        try await daemon.reader(0).insert(cards[1])
        let outcome = try await running
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.ndjson().map { $0["sensor"]["state"].text } == ["active", "expired"])
      }
    }

    @Test("watch waits for pcscd and a reader, and over a restart of pcscd, with one line for each")
    func waitsForReader() async throws {
      let socket = sandbox.path("pcscd.comm")
      let watch = try sandbox.start(
        program: Sandbox.binary, ["watch", "--ndjson"], environment: ["PCSCLITE_CSOCK_NAME": socket])
      defer { watch.send(SIGKILL) }
      try await eventually("it waits") { () async throws in try watch.errorText().contains("waiting for a reader") }
      let images = try ["active", "expired"].map { try Self.image($0) }
      // Its first pcscd has no reader yet.
      try await PCSCDaemon.run(readers: []) { daemon in
        try lead(socket, to: daemon)
        try await daemon.waitsUntil(.wait, wasSeen: 1)
      }
      for (index, image) in images.enumerated() {
        try await PCSCDaemon.run(readers: [Self.good]) { daemon in
          try await daemon.reader(0).insert(try Self.card(image))
          try lead(socket, to: daemon)
          try await eventually("reading \(index + 1)") { () async throws in try watch.lines().count == index + 1 }
        }
      }
      try await eventually("it waits again") { () async throws in
        try watch.errorText().components(separatedBy: "waiting for a reader").count > 3
      }
      watch.send(SIGTERM)
      let outcome = try await blocking { try watch.outcome() }
      #expect(outcome.status == 130)
      #expect(try outcome.ndjson().map { $0["sensor"]["state"].text } == ["active", "expired"])
      #expect(outcome.errors.contains("the reader \(Self.good.name)"), "\(outcome.errors)")
    }

    /// Makes `socket` lead to this daemon.
    private func lead(_ socket: String, to daemon: PCSCDaemon) throws {
      try? FileManager.default.removeItem(atPath: socket)
      try FileManager.default.createSymbolicLink(atPath: socket, withDestinationPath: daemon.socket)
    }

    @Test("readers --watch writes a line for each reader and each sensor that comes and goes")
    func readersWatched() async throws {
      let program = try await PCSCDaemon.run(readers: [Self.good]) { daemon in
        let program = try start(daemon, "readers", "--watch", "--json")
        @Sendable func changes() throws -> [String] {
          try program.lines().map { try JSONValue(parsing: $0.utf8)["change"].text ?? "" }
        }
        try await eventually("both slots") { () async throws in try changes() == ["plugged", "plugged"] }
        try await daemon.reader(0).insert(try Self.card(try Self.image("active")))
        try await eventually("the sensor") { () async throws in try changes().last == "sensor_on" }
        daemon.reader(0).remove()
        try await eventually("its removal") { () async throws in try changes().last == "sensor_off" }
        return program
      }
      try await eventually("the end of pcscd") { () async throws in try program.lines().count == 6 }
      program.send(SIGINT)
      let outcome = try await blocking { try program.outcome() }
      #expect(outcome.status == 130 && outcome.errors.contains("pcscd"))
      let lines = try outcome.ndjson()
      #expect(lines.suffix(2).allSatisfy { $0["change"] == .string("gone") })
      #expect(lines.allSatisfy { $0["schema"] == .string("libre.reader_change/1") })
      #expect(lines[2]["address"].text?.hasPrefix("pcsc:ACS ACR1552") == true)
    }

    // MARK: What is there

    @Test("readers lists the connected readers, and the card or sensor on each")
    func readers() async throws {
      try await PCSCDaemon.run(readers: [Self.good, Self.unable]) { daemon in
        try await daemon.reader(0).insert(try Self.card(try Self.image("active")))
        // pcscd logs no insertion of a card that it finds at its first look.
        var found: [JSONValue] = []
        while !found.contains(where: { $0["presence"] == .string("iso15693") }) {
          found = try await libre(daemon, "readers", "--json").json()["readers"].elements
        }
        let good = found.filter { $0["name"].text?.contains("ACR1552") == true }
        #expect(good.contains { $0["presence"] == .string("iso15693") && $0["iso15693"] == .string("yes") })
        let unable = found.filter { $0["name"].text?.contains("ACR122U") == true }
        #expect(!unable.isEmpty && unable.allSatisfy { $0["iso15693"] == .string("no") })
        let address = try #require(good.first?["address"].text)
        #expect(address.hasPrefix("pcsc:ACS ACR1552"))
        #expect(try await libre(daemon, "read", "--csv", "--reader", address).status == 0)
      }
    }

    @Test("doctor has four results: no service, no reader, an unsuitable reader, and a good reader")
    func doctor() async throws {
      func diagnosis(_ environment: [String: String]) async throws -> (status: Int32, JSONValue) {
        let outcome = try await libre(environment: environment, ["doctor", "--json"])
        return (outcome.status, try outcome.json())
      }
      func remedies(_ document: JSONValue) -> [String] { document["checks"].elements.compactMap { $0["remedy"].text } }

      let (noService, service) = try await diagnosis(["PCSCLITE_CSOCK_NAME": sandbox.path("nothing")])
      #expect(noService == 69)
      #expect(service["summary"].text?.contains("not running") == true)
      #expect(remedies(service).contains { $0.contains("pcscd") && $0.hasPrefix("sudo ") })

      let (noReader, none) = try await PCSCDaemon.run(readers: []) { try await diagnosis($0.environment) }
      #expect(noReader == 69)
      #expect(none["summary"].text?.contains("no reader") == true)

      let (cannot, unable) = try await PCSCDaemon.run(readers: [Self.unable]) { try await diagnosis($0.environment) }
      #expect(cannot == 69)
      #expect(unable["summary"].text?.contains("ACR122U") == true)
      #expect(remedies(unable).contains("libre readers --supported"))

      let (ready, good) = try await PCSCDaemon.run(readers: [Self.good]) { try await diagnosis($0.environment) }
      #expect(ready == 0)
      #expect(good["summary"].text?.hasPrefix("Ready: ") == true)
      #expect(Set([service, none, unable, good].map { $0["summary"] }).count == 4)
    }
  }
#endif

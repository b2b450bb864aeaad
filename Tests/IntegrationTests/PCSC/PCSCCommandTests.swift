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

    init() throws { sandbox = try Sandbox() }

    private func libre(_ daemon: PCSCDaemon, _ arguments: String...) async throws -> Outcome {
      try await sandbox.libre(arguments, environment: daemon.environment)
    }

    private static func image(_ scenario: String) throws -> MemoryImage {
      try #require(Scenario.named(scenario)).image(seed: 7)
    }

    private static func card(_ image: MemoryImage) throws -> VirtualCard {
      VirtualCard(.transparentSession, tag: SimulatedTag { _ in image }, uid: try #require(image.uid).bytes)
    }

    /// The session was ended, and the card's power switched off after it.
    private func expectFieldOff(_ card: VirtualCard) async throws {
      // vpcd does not wait until the card has heard of it.
      try await eventually("the field is off") { await card.powerChanges.last == false }
      #expect(await card.commands.last == [0xFF, 0xC2, 0x00, 0x00, 0x02, 0x82, 0x00, 0x00])
    }

    @Test("read prints the same as decode for the same memory, and switches the field off at the end")
    func read() async throws {
      try await PCSCDaemon.run(readers: [Self.good]) { daemon in
        let image = try Self.image("active")
        let card = try Self.card(image)
        try await daemon.reader(0).insert(card)
        let outcome = try await libre(daemon, "read", "--json", "--save", "saved.hex", "-v")
        #expect(outcome.status == 0, "\(outcome.errors)")
        try await expectFieldOff(card)
        let reading = try outcome.json()
        #expect(reading["reader"]["dialect"] == .string("transparent-session"))
        #expect(reading["reader"]["name"].text?.hasPrefix(Self.good.name) == true)
        #expect(reading["sensor"]["uid"].text == image.uid?.description)
        // NFCTransport/ReadingOverTheAir, "Timing": 15 runs.
        #expect(outcome.errors.contains("block_reads=15"))
        let airTime = try #require(outcome.errors.firstMatch(of: /air_time_ms=([0-9.]+)/).flatMap { Double($0.1) })
        #expect(abs(airTime - 171.6) < 0.2, "\(airTime)")
        try sandbox.write(image.bytes, to: "dump.bin")
        for file in ["dump.bin", "saved.hex"] {
          #expect(try await reading.measured == libre(daemon, "decode", "--json", file).json().measured, "\(file)")
        }
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
      // The readers are gone before the service is said to be.
      try await eventually("the end of pcscd") { () async throws in
        try program.lines().count == 6 && program.errorText().contains("pcscd")
      }
      program.send(SIGINT)
      let outcome = try await blocking { try program.outcome() }
      #expect(outcome.status == 130)
      let lines = try outcome.ndjson()
      #expect(lines.suffix(2).allSatisfy { $0["change"] == .string("gone") })
      #expect(lines[2]["address"].text?.hasPrefix("pcsc:ACS ACR1552") == true)
    }

    @Test("doctor tells a service that does not run from a good reader")
    func doctor() async throws {
      let noService = try await sandbox.libre(
        ["doctor", "--json"], environment: ["PCSCLITE_CSOCK_NAME": sandbox.path("nothing")])
      #expect(noService.status == 69)
      #expect(try noService.json()["summary"].text?.contains("not running") == true)
      let good = try await PCSCDaemon.run(readers: [Self.good]) { try await libre($0, "doctor", "--json") }
      #expect(good.status == 0)
      #expect(try good.json()["summary"].text?.hasPrefix("Ready: ") == true)
    }
  }
#endif

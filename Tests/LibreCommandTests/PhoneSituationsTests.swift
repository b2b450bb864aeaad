// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import LibreDocuments
import LibreKit
import NFCTransport
import Synchronization
import TestSupport
import Testing

/// What can be wrong with a phone as a reader, and what its user is told. The driver is the real one, and so is the
/// command where adb has the first word.
@Suite("A user with a phone", .onOwnThreads, .startsProcesses)
struct PhoneSituationsTests {
  struct Situation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let cause: Cause
    /// nil if the sensor is read.
    let error: Words?
  }

  enum Cause: Sendable {
    /// What `adb devices` prints, and the status of both of its commands; nil without adb.
    case adb((devices: String, status: Int, reverse: Int)?)
    case noConnection
    /// Another program has the port.
    case portTaken
    /// A program connects and sends these bytes.
    case program([UInt8])
    /// Phones, each of which connects when the one before has left. An answer may take `limit`.
    case phones([PhoneEmulator.Habits], limit: Duration = .seconds(60))
  }

  struct Words: Hashable, Sendable {
    let code: String
    let message: String
    let remedy: String
  }

  private static func adb(
    _ name: String, _ answer: (String, Int, Int)?, _ reason: String, _ remedy: String
  ) -> Situation {
    unfit(name, .adb(answer), reason, remedy)
  }

  private static func unfit(_ name: String, _ cause: Cause, _ reason: String, _ remedy: String) -> Situation {
    fails(name, cause, "reader_unfit", "the reader phone cannot be used: \(reason)", remedy)
  }

  private static func fails(
    _ name: String, _ cause: Cause, _ code: String, _ message: String, _ remedy: String
  ) -> Situation {
    Situation(testDescription: name, cause: cause, error: Words(code: code, message: message, remedy: remedy))
  }

  private static func reads(
    _ name: String, _ changes: ((inout PhoneEmulator.Habits) -> Void)..., limit: Duration = .seconds(60)
  ) -> Situation {
    Situation(testDescription: name, cause: .phones(changes.map(habits), limit: limit), error: nil)
  }

  private static func habits(_ change: (inout PhoneEmulator.Habits) -> Void) -> PhoneEmulator.Habits {
    var habits = PhoneEmulator.Habits()
    change(&habits)
    return habits
  }

  private static let list = "List of devices attached\\n"
  /// An answer that does not come is not waited for longer than this; a right answer is not needed then.
  private static let short = Duration.milliseconds(200)
  private static let settings = "in NFCGate's settings: host 127.0.0.1, port PORT, session 1, TLS off"
  private static let notConnected = Words(
    code: "no_phone", message: "the app NFCGate is not connected to port PORT",
    remedy: "adb reverse tcp:PORT tcp:PORT; \(settings); then choose Relay, then Reader"
  )
  private static let otherProgram = (
    reason: "a program that is not NFCGate has connected",
    remedy:
      "end that program, or lead the phone to another port: adb reverse tcp:5567 tcp:5567, then --reader phone:5567"
  )

  /// ADBTests has the other answers of adb.
  private static let withADB: [Situation] = [
    adb("no adb", nil, "adb is not installed", "sudo apt install adb"),
    adb(
      "not authorised", (list + "A1\\tunauthorized\\n", 0, 0), "the phone has not allowed this computer",
      "unlock the phone and allow USB debugging when it asks"),
    adb(
      "the port cannot be led", (list + "A1\\tdevice\\n", 0, 1),
      "adb cannot lead port 5566 of the phone to this machine", "unplug the phone, plug it in again and unlock it"),
  ]

  private static let withPhone: [Situation] = [
    fails(
      "the port is taken", .portTaken, "reader_busy", "another program is using TCP port PORT", otherProgram.remedy),
    fails(
      "nothing connects in time", .noConnection, notConnected.code, notConnected.message, notConnected.remedy),
    unfit(
      "TLS", .program([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), "NFCGate uses TLS",
      "switch TLS off in NFCGate's settings: only the cable carries it"),
    unfit(
      "a browser", .program(Array("GET / HTTP/1.1\r\n".utf8)), otherProgram.reason, otherProgram.remedy),
    unfit("1 GB is announced", .program([0x40, 0, 0, 0, 1]), otherProgram.reason, otherProgram.remedy),
    unfit(
      "a broken message", .program([0, 0, 0, 3, 1, 0x07, 0xFF, 0xFF]), otherProgram.reason, otherProgram.remedy),
    unfit(
      "the card's role", .program([0, 0, 0, 11, 1, 0x12, 0x09, 0x10, 0x01, 0x1A, 0x05, 0x02, 0x20, 0, 0, 0]),
      "NFCGate shows a card instead of reading one", "in NFCGate choose Relay, then Reader"),
    fails(
      "a phone without a sensor", .program([0, 0, 0, 2, 1, 0x08, 0x01]), "no_tag",
      "no sensor was found before the timeout", "hold the sensor flat on the reader and read again"),
    fails(
      "a phone that leaves before a sensor comes", .program([0, 0, 0, 2, 1, 0x08, 0x01, 0, 0, 0, 2, 1, 0x08, 0x03]),
      notConnected.code, notConnected.message, notConnected.remedy),
    fails(
      "a phone that leaves in the middle", .phones([habits { $0.acts[9] = .farewell }]), notConnected.code,
      notConnected.message, notConnected.remedy),
    fails(
      "the sensor is taken away", .phones([habits { $0.acts[9] = .removal }], limit: short), "tag_silent",
      "the sensor does not answer (at block 15)", "move it slightly on the reader, hold it still and read again"),
    fails(
      "a phone that is always late",
      .phones([habits { $0.acts = Dictionary(uniqueKeysWithValues: (1...1_000).map { ($0, .delay) }) }], limit: short),
      "tag_silent", "the sensor does not answer (at block 0)",
      "move it slightly on the reader, hold it still and read again"),
    fails(
      "a card that is not ISO 15693", .phones([habits { $0.foreignAnswer = [0x6A, 0x82] }], limit: short), "no_tag",
      "no sensor was found before the timeout", "hold the sensor flat on the reader and read again"),
    fails(
      "a tag that is not a sensor",
      .phones([habits { $0.foreignAnswer = [0x00, 0x00, 1, 2, 3, 4, 5, 6, 0x04, 0xE0] }]), "other_tag",
      "the tag on the reader is not a sensor (manufacturer 04)",
      "remove other tags, and hold the sensor on the reader"),
    reads("another session", { $0.session = 2 }),
    reads("messages in pieces", { $0.sendsBytes = true }),
    // An unknown opcode, an unknown source, and the app's answer to libre's welcome.
    reads(
      "other messages, in one piece with an answer",
      { $0.chatter = [[0x08, 0x09], [0x12, 0x04, 0x08, 0x07, 0x10, 0x01], [0x08, 0x02]] }),
    reads("another tag answers in between", { $0.acts[9] = .stranger }, limit: .seconds(1)),
    reads("a phone that leaves and comes again", { $0.acts[9] = .farewell }, { _ in }),
  ]

  private static let withFault: [Situation] =
    [4, 9, 17].map { number in
      reads("the sensor is lost at request \(number) and found again", { $0.acts[number] = .loss }, limit: .seconds(1))
    }
    + [3, 5, 9].map { number in
      reads("a late answer to request \(number)", { $0.acts[number] = .delay }, limit: .seconds(1))
    }

  private static let all = withADB + withPhone + withFault

  @Test("reads the sensor, or is told what is wrong and what helps", arguments: all)
  func situation(_ situation: Situation) async throws {
    let error =
      switch situation.cause {
      case .adb(let answer): try await Self.answer(ofCommandWith: answer)
      case .portTaken: try await Self.refusalOfTakenPort()
      case .noConnection, .program, .phones: try await Self.failure(of: situation)
      }
    #expect(error == situation.error)
  }

  @Test("there are at least twenty of them, and each differs from the others")
  func table() {
    let names = Set(Self.all.map(\.testDescription))
    #expect(names.count >= 20 && names.count == Self.all.count)
  }

  /// What the command says where a program named adb gives an answer.
  private static func answer(
    ofCommandWith adb: (devices: String, status: Int, reverse: Int)?
  ) async throws -> Words {
    let sandbox = try Sandbox()
    let environment = ["PATH": sandbox.path("bin")]
    if let adb {
      try sandbox.write(
        """
        #!/bin/sh
        case "$*" in
        devices) printf '\(adb.devices)'; exit \(adb.status) ;;
        "reverse tcp:5566 tcp:5566") exit \(adb.reverse) ;;
        esac
        exit 99

        """, to: "bin/adb")
      #expect(try sandbox.shell("chmod +x bin/adb").status == 0)
    }
    let outcome = try await sandbox.libre(["read", "--reader", "phone", "--json"], environment: environment)
    #expect(outcome.status == 69, "\(outcome.errors)")
    let document = try outcome.json()
    // Standard error has it too, after what is to be done on the phone.
    let remedy = try #require(document["resolution"].text)
    #expect(outcome.errors.contains("session 1, TLS off") && outcome.errors.hasSuffix("  Try: \(remedy)\n"))
    return Words(
      code: try #require(document["code"].text), message: try #require(document["message"].text), remedy: remedy)
  }

  /// A reader that waits only for a moment, so that a test need not.
  private struct ImpatientReader: ReaderMiddleware {
    let reader: any TagReader

    func waitForTag(within timeout: Duration) async throws(TransportError) {
      try await reader.waitForTag(within: min(timeout, .seconds(1)))
    }

    func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
      try await reader.exchange(request)
    }
  }

  /// What a read ends with; nil for the sensor's memory.
  private static func failure(of situation: Situation) async throws -> Words? {
    let image = try #require(Scenario.named("active")).image(seed: 7)
    let limit = if case .phones(_, let limit) = situation.cause { limit } else { Duration.seconds(60) }
    let listening = Mutex(0)
    let backend = PhoneBackend(
      limit: limit, clock: SleptClock(), onListening: { number in listening.withLock { $0 = Int(number) } })
    let phone = try await backend.open(ReaderAddress(scheme: "phone", rest: "0"))
    let port = listening.withLock { $0 }
    // A phone that comes again may take a while.
    let reader: any TagReader = situation.error == nil ? phone : ImpatientReader(reader: phone)
    async let report = ScanRunner.run(
      on: reader, limit: .seconds(600), now: { Instant(secondsSince1970: 1_700_000_000) })
    let guest = try await connect(situation.cause, to: port, SimulatedTag { _ in image })
    let result = await report
    if result.failure == nil { #expect(result.image.bytes == image.bytes) }
    await phone.close()
    withExtendedLifetime(guest) {}
    guard let failure = result.failure else { return nil }
    return words(of: failure, port)
  }

  private static func words(of failure: TransportError, _ port: Int) -> Words {
    let error = LibreError(explaining: failure)
    func shown(_ text: String) -> String { text.replacing("\(port)", with: "PORT") }
    return Words(code: error.code, message: shown(error.message), remedy: shown(error.resolution))
  }

  /// Lets come what comes, and returns what has to stay until the end.
  private static func connect(_ cause: Cause, to port: Int, _ tag: any TagReader) async throws -> (any Sendable)? {
    switch cause {
    case .adb, .noConnection, .portTaken: return nil
    case .program(let bytes):
      let connection = try #require(LoopbackConnection(to: port))
      connection.send(bytes)
      return connection
    case .phones(let phones, _):
      let first = try #require(PhoneEmulator(port: port, tag: tag, habits: phones[0]))
      guard phones.count > 1 else { return first }
      let last = try #require(phones[0].acts.keys.max())
      try eventually("the first phone leaves") { first.frames.count == last }
      return PhoneEmulator(port: port, tag: tag, habits: phones[1])
    }
  }

  /// What is said to who asks for a port that another program has.
  private static func refusalOfTakenPort() async throws -> Words? {
    let port = try LoopbackPort(0)
    do throws(TransportError) {
      try await PhoneBackend().open(.phone(port: port.number)).close()
      return nil
    } catch {
      return words(of: error, Int(port.number))
    }
  }
}

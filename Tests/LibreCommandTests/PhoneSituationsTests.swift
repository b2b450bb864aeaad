// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import LibreDocuments
import LibreKit
import Synchronization
import TestSupport
import Testing

@testable import NFCTransport

/// What can be wrong with a phone as a reader, and what its user is told. The driver is the real one, and so is the
/// command where adb has the first word.
@Suite("A user with a phone", .onOwnThreads, .startsProcesses)
struct PhoneSituationsTests {
  struct Situation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let cause: Cause
    /// nil if the sensor is read. `EveryError.txt` has the words. A port is 0 here.
    let error: TransportError?

    init(_ words: String, _ cause: Cause, _ error: TransportError?) {
      (testDescription, self.cause, self.error) = (words, cause, error)
    }
  }

  enum Cause: Sendable {
    /// The output of `adb devices`, before adb fails to lead the port; nil without adb.
    case adb(String?)
    case noConnection
    /// Another program has the port.
    case portTaken
    /// A program connects and sends these bytes.
    case program([UInt8])
    /// Phones, each of which connects when the one before has left. An answer may take `limit`.
    case phones([PhoneEmulator.Habits], limit: Duration = .seconds(60))
  }

  private static func reads(
    _ name: String, _ changes: ((inout PhoneEmulator.Habits) -> Void)..., limit: Duration = .seconds(60)
  ) -> Situation {
    Situation(name, .phones(changes.map(habits), limit: limit), nil)
  }

  private static func habits(_ change: (inout PhoneEmulator.Habits) -> Void) -> PhoneEmulator.Habits {
    var habits = PhoneEmulator.Habits()
    change(&habits)
    return habits
  }

  /// An answer that does not come is not waited for longer than this; a right answer is not needed then.
  private static let short = Duration.milliseconds(200)

  /// ADBTests have the answers of adb.
  private static let withADB: [Situation] = [
    Situation(
      "no adb", .adb(nil), .readerUnfit(name: "phone", reason: "adb is not installed", remedy: "sudo apt install adb")),
    Situation(
      "the port cannot be led", .adb("List of devices attached\\nA1\\tdevice\\n"),
      .readerUnfit(
        name: "phone", reason: "adb cannot lead port 5566 of the phone to this machine",
        remedy: "unplug the phone, plug it in again and unlock it")),
  ]

  private static let withPhone: [Situation] = [
    Situation("the port is taken", .portTaken, .port(path: "TCP port 0", .busy)),
    Situation("nothing connects in time", .noConnection, .noPhone(port: 0)),
    Situation("TLS", .program([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), PhoneFault.usesTLS.error),
    Situation("a browser", .program(Array("GET / HTTP/1.1\r\n".utf8)), PhoneFault.isOther.error),
    Situation("1 GB is announced", .program([0x40, 0, 0, 0, 1]), PhoneFault.isOther.error),
    Situation("a broken message", .program([0, 0, 0, 3, 1, 0x07, 0xFF, 0xFF]), PhoneFault.isOther.error),
    Situation(
      "the card's role", .program([0, 0, 0, 11, 1, 0x12, 0x09, 0x10, 0x01, 0x1A, 0x05, 0x02, 0x20, 0, 0, 0]),
      PhoneFault.isCard.error),
    Situation("a phone without a sensor", .program([0, 0, 0, 2, 1, 0x08, 0x01]), .noTag),
    Situation(
      "a phone that leaves before a sensor comes", .program([0, 0, 0, 2, 1, 0x08, 0x01, 0, 0, 0, 2, 1, 0x08, 0x03]),
      .noPhone(port: 0)),
    Situation("a phone that leaves in the middle", .phones([habits { $0.acts[9] = .farewell }]), .noPhone(port: 0)),
    Situation(
      "the sensor is taken away", .phones([habits { $0.acts[9] = .removal }], limit: short), .tagSilent(block: 15)),
    Situation(
      "a phone that is always late",
      .phones([habits { $0.acts = Dictionary(uniqueKeysWithValues: (1...1_000).map { ($0, .delay) }) }], limit: short),
      .tagSilent(block: 0)),
    Situation(
      "a card that is not ISO 15693", .phones([habits { $0.foreignAnswer = [0x6A, 0x82] }], limit: short), .noTag),
    Situation(
      "a tag that is not a sensor",
      .phones([habits { $0.foreignAnswer = [0x00, 0x00, 1, 2, 3, 4, 5, 6, 0x04, 0xE0] }]),
      .otherTag(SensorUID(bits: 0xE004_0605_0403_0201)!)),
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

  @Test("reads the sensor, or is told what is wrong and what helps", arguments: withADB + withPhone + withFault)
  func situation(_ situation: Situation) async throws {
    switch situation.cause {
    case .adb(let answer): try await Self.expect(try #require(situation.error), ofCommandWith: answer)
    case .portTaken: #expect(try await Self.refusalOfTakenPort() == situation.error)
    case .noConnection, .program, .phones: #expect(try await Self.failure(of: situation) == situation.error)
    }
  }

  /// The command has the words of an error where a program named adb gives an answer.
  private static func expect(_ error: TransportError, ofCommandWith devices: String?) async throws {
    let sandbox = try Sandbox()
    let environment = ["PATH": sandbox.path("bin")]
    if let devices {
      let script = "#!/bin/sh\ncase \"$*\" in devices) printf '\(devices)' ;; *) exit 1 ;; esac\n"
      try sandbox.write(script, to: "bin/adb")
      #expect(try sandbox.shell("chmod +x bin/adb").status == 0)
    }
    let outcome = try await sandbox.libre(["read", "--reader", "phone", "--json"], environment: environment)
    #expect(outcome.status == 69, "\(outcome.errors)")
    let (document, expected) = (try outcome.json(), LibreError(explaining: error))
    #expect(document["code"].text == expected.code && document["message"].text == expected.message)
    #expect(document["resolution"].text == expected.resolution)
    // Standard error has it too, after what is to be done on the phone.
    #expect(outcome.errors.contains("session 1, TLS off"))
    #expect(outcome.errors.hasSuffix("  Try: \(expected.resolution)\n"))
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
  private static func failure(of situation: Situation) async throws -> TransportError? {
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
    return result.failure == .noPhone(port: port) ? .noPhone(port: 0) : result.failure
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

  /// The error for a port that another program has.
  private static func refusalOfTakenPort() async throws -> TransportError? {
    let port = try LoopbackPort(0)
    do throws(TransportError) {
      try await PhoneBackend().open(.phone(port: port.number)).close()
      return nil
    } catch {
      return error == .port(path: "TCP port \(port.number)", .busy) ? .port(path: "TCP port 0", .busy) : error
    }
  }
}

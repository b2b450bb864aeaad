// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Meters
import NFCTransport
import TestSupport
import Testing

@testable import LibreKit

@Suite("A bridge as a reader")
struct BridgeReaderTests {
  private static let sensor = SimulatedSensor(seed: 3)
  private static let address = ReaderAddress(scheme: "bridge")

  private func open(_ link: any MeterLink, _ clock: SleptClock, accepts: Bool = false) async throws -> BridgeReader {
    let language = try #require(BridgeModel.named(link.identity.name)?.language)
    return try await BridgeReader.open(
      link, speaking: language, at: Self.address, acceptsSensor: accepts, now: { clock.now.slept })
  }

  /// A bridge whose sensor is 4000 minutes old at first.
  private func bridge(
    _ language: BridgeLanguage, _ fault: SimulatedBridgeFault? = nil, pieceLength: Int = 20, clock: SleptClock
  ) -> SimulatedBridge {
    SimulatedBridge(language, fault, pieceLength: pieceLength, clock: clock) { time in
      Self.sensor.image(atAge: 4_000 + Int(time / .seconds(60)))
    }
  }

  // MARK: Readings

  @Test(
    "gives the same scan as the sensor itself on a reader", arguments: BridgeLanguage.allCases, [20, 244])
  func sameScan(language: BridgeLanguage, pieceLength: Int) async throws {
    for scenario in Scenario.all where scenario.image(seed: 1).bytes.count == Self.memoryLength {
      var image = scenario.image(seed: 1)
      image.readAt = nil
      guard image.uid != nil, image.missingBlocks.isEmpty else { continue }
      let clock = SleptClock()
      let link = SimulatedBridge(language, pieceLength: pieceLength, clock: clock) { [image] _ in image }
      let report = await ScanRunner.run(on: try await open(link, clock))
      let direct = await ScanRunner.run(on: SimulatedTag { [image] _ in image })
      #expect(report.failure == direct.failure && report.image == direct.image, "\(scenario.name)")
    }
  }

  private static let memoryLength = 344

  @Test("names itself with its firmware, and tells the charge of its battery")
  func description() async throws {
    let clock = SleptClock()
    let miaoMiao = await ScanRunner.run(on: try await open(bridge(.miaoMiao, clock: clock), clock)).reader
    #expect(miaoMiao.name == "miaomiao2 simulated, firmware 0007" && miaoMiao.batteryPercent == 92)
    #expect(miaoMiao.address == "bridge" && miaoMiao.dialect == "miaomiao")
    let bubble = await ScanRunner.run(on: try await open(bridge(.bubble, .lowBattery, clock: clock), clock)).reader
    #expect(bubble.name == "Bubble simulated, firmware 2.0" && bubble.batteryPercent == 15)
  }

  @Test("waits for the next reading as for the next tap", arguments: BridgeLanguage.allCases)
  func nextReading(language: BridgeLanguage) async throws {
    let clock = SleptClock()
    let reader = try await open(bridge(language, clock: clock), clock)
    var ages: [Int] = []
    for _ in 0..<4 {
      let report = await ScanRunner.run(on: reader)
      ages.append(Int(report.image.bytes[316]) | Int(report.image.bytes[317]) << 8)
      try await reader.waitForRemoval()
    }
    #expect(ages == [4_000, 4_005, 4_010, 4_015])
    await reader.close()
    await #expect(throws: TransportError.self) { try await reader.waitForTag(within: .seconds(60)) }
  }

  @Test("has no tag if no reading comes in time")
  func noTag() async throws {
    let clock = SleptClock()
    let reader = try await open(bridge(.miaoMiao, clock: clock), clock)
    try await reader.waitForTag(within: .seconds(60))
    await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .seconds(60)) }
    try await reader.waitForTag(within: .seconds(600))
  }

  @Test("is cancelled at once")
  func cancelled() async throws {
    let clock = SleptClock()
    let reader = try await open(bridge(.miaoMiao, clock: clock), clock)
    let task = Task { try await reader.waitForRemoval() }
    task.cancel()
    let result = await task.result
    let isCancelled = if case .failure(let error) = result { error as? TransportError == .cancelled } else { true }
    #expect(isCancelled)
  }

  // MARK: Repetitions

  @Test("asks for the memory again if a checksum is wrong, once", arguments: BridgeLanguage.allCases)
  func wrongChecksum(language: BridgeLanguage) async throws {
    let clock = SleptClock()
    let report = await ScanRunner.run(on: try await open(bridge(language, .checksum, clock: clock), clock))
    #expect(report.failure == nil)
    #expect(report.memory.integrity(in: MemoryMap.geometry).body == .ok)
    #expect(report.image.bytes == Self.sensor.memory(atAge: 4_000))
  }

  @Test("does not ask more than twice, and keeps what it has")
  func stubbornChecksum() async throws {
    let clock = SleptClock()
    let log = BridgeLog()
    var bytes = Self.sensor.memory(atAge: 4_000)
    bytes[100] ^= 0x10
    let image = MemoryImage(bytes: bytes, uid: Self.sensor.uid, patchInfo: Self.sensor.patchInfo)
    let link = LoggedLink(base: SimulatedBridge(.miaoMiao, clock: clock) { _ in image }, log: log)
    let report = await ScanRunner.run(on: try await open(link, clock))
    #expect(report.failure == nil && report.image.bytes == bytes)
    #expect(await log.writes == ["F0", "F0", "F0"])
  }

  @Test("starts anew if another sensor answers the repetition")
  func exchanged() async throws {
    let clock = SleptClock()
    let other = SimulatedSensor(seed: 4)
    let link = SimulatedBridge(.miaoMiao, clock: clock) { time in
      if time > .milliseconds(1_100) { return other.image(atAge: 200) }
      var image = Self.sensor.image(atAge: 4_000)
      image.bytes[100] ^= 0x10
      return image
    }
    let report = await ScanRunner.run(on: try await open(link, clock))
    #expect(report.image.uid == other.uid && report.image.bytes == other.memory(atAge: 200))
  }

  @Test("keeps a torn memory, in which no data are missing, without asking again")
  func torn() async throws {
    let clock = SleptClock()
    let log = BridgeLog()
    let image = try #require(Scenario.named("torn")).image(seed: 1)
    let link = LoggedLink(base: SimulatedBridge(.miaoMiao, clock: clock) { _ in image }, log: log)
    let report = await ScanRunner.run(on: try await open(link, clock))
    #expect(report.memory.integrity(in: MemoryMap.geometry).body == .torn)
    #expect(await log.writes == ["F0"])
  }

  // MARK: Situations

  struct Situation: Sendable, CustomTestStringConvertible {
    let name: String
    var language = BridgeLanguage.miaoMiao
    var fault: SimulatedBridgeFault?
    var accepts = false
    /// What the link does in place of the bridge, from this event on.
    var event: MeterEvent?
    /// The message; nil for a reading.
    let message: String?
    var testDescription: String { name }
  }

  static let name = "the reader miaomiao2 simulated cannot be used: "
  static let situations = [
    Situation(name: "nothing wrong", message: nil),
    Situation(name: "half a packet", fault: .half, message: nil),
    Situation(name: "half a packet of a Bubble", language: .bubble, fault: .half, message: nil),
    Situation(name: "no sensor", fault: .noSensor, message: name + "it does not feel a sensor"),
    Situation(
      name: "no sensor below a Bubble", language: .bubble, fault: .noSensor,
      message: "the reader Bubble simulated cannot be used: it does not feel a sensor"),
    Situation(
      name: "another sensor", fault: .otherSensor,
      message: name + "another sensor than before is below it, and it waits for your consent"),
    Situation(name: "another sensor with consent", fault: .otherSensor, accepts: true, message: nil),
    Situation(name: "lost in the middle", fault: .drop, message: name + "the connection was lost"),
    Situation(name: "lost at once", event: .disconnected, message: name + "the connection was lost"),
    Situation(name: "silent", event: .quiet, message: name + "it is connected and sends nothing"),
    Situation(
      name: "without the service", event: .refused(.absent),
      message: name + "it lacks the service of a bridge"),
    Situation(
      name: "refuses", event: .refused(.notPaired), message: name + "it refused a request: it is not paired"),
    Situation(name: "cancelled", event: .cancelled, message: TransportError.cancelled.message),
  ]

  @Test("has a message and a remedy for each situation", arguments: situations)
  func check(_ situation: Situation) async throws {
    let clock = SleptClock()
    let log = BridgeLog()
    let base = bridge(situation.language, situation.fault, clock: clock)
    let link = LoggedLink(base: base, log: log, event: situation.event, clock: clock)
    do {
      let reader = try await open(link, clock, accepts: situation.accepts)
      #expect(situation.message == nil)
      #expect(await ScanRunner.run(on: reader).failure == nil)
    } catch let error as TransportError {
      #expect(error.message == situation.message)
      if case .readerUnfit(_, _, let remedy) = error { #expect(remedy.count > 20) }
      // The owner's phone gets its bridge back.
      #expect(await log.isDisconnected)
    }
  }

  // MARK: Addresses

  @Test(
    "is simulated by sim:bridge with a language, a fault and a scenario",
    arguments: [
      "sim:bridge", "sim:bridge:bubble", "sim:bridge:expired:7", "sim:bridge:low-battery:active", "sim:bridge:torn",
    ])
  func simulated(_ text: String) async throws {
    let reader = try await SimulatedBackend(clock: SleptClock()).open(try ReaderAddress(text))
    let report = await ScanRunner.run(on: reader)
    #expect(report.failure == nil && report.reader.address == text && report.reader.dialect != "simulated")
  }

  @Test(
    "is not simulated with another word", arguments: ["sim:bridge:what", "sim:bridge:bubble:what", "sim:bridgehead"])
  func notSimulated(_ text: String) async throws {
    await #expect(throws: TransportError.unknownAddress(text)) {
      try await SimulatedBackend(clock: SleptClock()).open(try ReaderAddress(text))
    }
  }
}

/// What happened to a link.
actor BridgeLog {
  private(set) var writes: [String] = []
  private(set) var isDisconnected = false

  func note(_ bytes: [UInt8]) { writes.append(HexText.string(of: bytes, separator: " ")) }
  func end() { isDisconnected = true }
}

/// A link that notes what is written, and can give one event in place of every other.
struct LoggedLink: MeterLink {
  let base: SimulatedBridge
  let log: BridgeLog
  var event: MeterEvent?
  var clock: SleptClock?

  var identity: MeterIdentity { base.identity }
  var characteristics: Set<MeterCharacteristic> { base.characteristics }

  func perform(_ request: MeterRequest, within timeout: Duration) async -> MeterEvent {
    if let bytes = request.writtenBytes { await log.note(bytes) }
    if event == .quiet { return .accepted }
    if let event { return event }
    return await base.perform(request, within: timeout)
  }

  func nextEvent(within timeout: Duration) async -> MeterEvent {
    guard let event else { return await base.nextEvent(within: timeout) }
    try? await clock?.sleep(for: timeout)
    return event
  }

  func disconnect() async {
    await log.end()
    await base.disconnect()
  }
}

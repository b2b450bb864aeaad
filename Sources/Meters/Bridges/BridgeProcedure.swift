// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import NFCTransport

/// A sensor's memory as a bridge has sent it.
package struct BridgeReading: Hashable, Sendable {
  /// The 344 bytes with the UID, and with the patch info if the bridge's firmware sends it.
  package let image: MemoryImage
  package let batteryPercent: Int?
  package let firmware: String?
  package let hardware: String?

  static let memoryLength = 344

  /// Nil for an invalid UID, because then the bytes are out of step.
  init?(
    _ memory: some Sequence<UInt8>, uid: ArraySlice<UInt8>, patchInfo: [UInt8]?, battery: UInt8?,
    firmware: String?, hardware: String?
  ) {
    guard let uid = SensorUID(onAir: uid) else { return nil }
    image = MemoryImage(
      bytes: Array(memory.prefix(Self.memoryLength)), uid: uid, patchInfo: patchInfo.flatMap { PatchInfo($0) })
    batteryPercent = battery.flatMap { $0 <= 100 ? Int($0) : nil }
    self.firmware = firmware
    self.hardware = hardware
  }
}

/// Reason why a bridge has no reading.
enum BridgeFault: Hashable, Sendable {
  case noSensor
  /// Another sensor than last time is below it, and it waits for the owner's consent.
  case otherSensor
  /// It did not answer.
  case silent
  /// Readings began and did not arrive whole.
  case incomplete
  case refused(MeterRefusal)
  case lost
}

/// A bridge's language: makes sense of the notifications, as a value without link and clock.
protocol BridgeAssembly: Sendable {
  /// The request that begins, and the one that asks again.
  var opening: BridgeRequest { get }
  var repetition: BridgeRequest { get }
  /// The number of further requests after "no sensor", and the pause before each.
  var patience: (times: Int, pause: Duration) { get }
  /// The silence that ends what has arrived so far; nil if nothing is under way.
  var pause: Duration? { get }
  mutating func feed(_ notification: [UInt8]) -> BridgeSignal?
  /// Takes note that nothing came during `pause`.
  mutating func feedSilence() -> BridgeSignal?
}

enum BridgeSignal: Hashable, Sendable {
  case reading(BridgeReading)
  /// It waits for the request of its memory.
  case ready
  case noSensor
  case otherSensor
  /// A reading that had begun is over and unusable.
  case incomplete
}

/// A conversation with a bridge as a value: it gives the next step and takes the event that followed. It has no link and
/// no clock; each timeout is part of a step. It never ends: a bridge sends a reading every few minutes.
struct BridgeProcedure: Sendable {
  enum News: Hashable, Sendable {
    case reading(BridgeReading)
    case fault(BridgeFault)
  }

  private var assembly: any BridgeAssembly
  private var acceptsSensor: Bool
  /// Requests that are due, each after a silence of its own.
  private var queue: [(request: BridgeRequest, rest: Duration)]
  /// True if the silence before the first request has passed.
  private var isRested = false
  private var waiting = Waiting.push
  /// Requests since the last reading.
  private var requests = 1
  private var absences = 0
  private var news: News?

  private enum Waiting {
    /// The next reading that the bridge sends by itself.
    case push
    case answer
    /// Pause before it is asked again for a sensor.
    case sensor
  }

  /// `acceptsSensor`: the user has said that a new sensor is below the bridge.
  init(_ language: BridgeLanguage, acceptsSensor: Bool) {
    (assembly, self.acceptsSensor) = (language.assembly, acceptsSensor)
    queue = [(assembly.opening, BridgeTiming.afterSubscribing)]
  }

  /// Returns what has come of the last event; nil for nothing.
  mutating func takeNews() -> News? { news.take() }

  func next() -> MeterStep {
    // A request during a transfer would mix two readings.
    if let pause = assembly.pause { return .await(within: pause) }
    if let due = queue.first {
      return isRested ? .perform(.bridge(due.request), within: MeterTiming.request) : .await(within: due.rest)
    }
    return switch waiting {
    case .push: .await(within: BridgeTiming.push)
    case .answer: .await(within: BridgeTiming.answer)
    case .sensor: .await(within: assembly.patience.pause)
    }
  }

  mutating func feed(_ event: MeterEvent) {
    switch event {
    case .value(.bridgeAnswer, let bytes): take(assembly.feed(bytes))
    case .value, .cancelled: break
    case .accepted:
      guard isRested, !queue.isEmpty else { return }
      queue.removeFirst()
      isRested = false
      waiting = .answer
    case .refused(let reason): rest(with: .fault(.refused(reason)))
    case .disconnected: rest(with: .fault(.lost))
    case .quiet:
      if assembly.pause != nil {
        take(assembly.feedSilence())
      } else if isRested {
        rest(with: .fault(.silent))
      } else if !queue.isEmpty {
        isRested = true
      } else {
        takeSilence()
      }
    }
  }

  /// Asks for a reading now, in place of the next one that the bridge sends by itself.
  mutating func ask() {
    requests = 1
    request(assembly.repetition)
  }

  private mutating func request(_ request: BridgeRequest) {
    queue = [(request, BridgeTiming.betweenWrites)]
    isRested = false
  }

  private mutating func repeatRequest(_ request: BridgeRequest) {
    requests += 1
    self.request(request)
  }

  private mutating func rest(with news: News) {
    (self.news, queue, isRested, waiting, requests) = (news, [], false, .push, 0)
  }

  private mutating func takeSilence() {
    switch waiting {
    case .answer where requests >= BridgeTiming.silentRequests: rest(with: .fault(.silent))
    case .answer: repeatRequest(assembly.opening)
    case .push:
      requests = 1
      request(assembly.opening)
    case .sensor: request(assembly.repetition)
    }
  }

  private mutating func take(_ signal: BridgeSignal?) {
    switch signal {
    case nil: break
    case .reading(let reading):
      rest(with: .reading(reading))
      absences = 0
    case .ready: request(assembly.repetition)
    case .noSensor:
      absences += 1
      if absences > assembly.patience.times { rest(with: .fault(.noSensor)) } else { waiting = .sensor }
    case .otherSensor where acceptsSensor:
      // Once: a bridge that says so again is not persuaded by repetition.
      acceptsSensor = false
      queue = [
        (.acceptSensor, BridgeTiming.betweenWrites), (assembly.repetition, BridgeTiming.afterAcceptance),
      ]
      isRested = false
    case .otherSensor: rest(with: .fault(.otherSensor))
    case .incomplete where requests >= BridgeTiming.incompleteRequests: rest(with: .fault(.incomplete))
    case .incomplete: repeatRequest(assembly.repetition)
    }
  }
}

/// All pauses and limits of a conversation with a bridge (Meters/BridgePackets, "Pauses").
enum BridgeTiming {
  static let afterSubscribing = Duration.seconds(1)
  static let betweenWrites = Duration.milliseconds(150)
  static let afterAcceptance = Duration.milliseconds(500)
  /// The bridge reads the sensor first.
  static let answer = Duration.seconds(30)
  /// A bridge sends every five minutes; it is asked if it has missed that.
  static let push = Duration.seconds(360)
  /// A whole reading with all its repetitions.
  static let reading = Duration.seconds(150)
  static let silentRequests = 2
  static let incompleteRequests = 3
}

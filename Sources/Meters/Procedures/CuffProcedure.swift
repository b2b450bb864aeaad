// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Takes the measurements of a cuff (Bluetooth SIG, Blood Pressure Service 1.0).
///
/// Subscribing is the request: the cuff then sends what it has stored, oldest first, and there is no end. A pause or the
/// end of the link ends the transfer. Many cuffs delete what they have sent, so each measurement can be taken and stored at
/// once.
struct CuffProcedure: MeterProcedure {
  private let meter: String
  private var setup: [MeterStep]
  private var seen: Set<[UInt8]> = []
  private var ready: [MeterRecord] = []
  private(set) var rejected: [RejectedPacket] = []
  private var packetCount = 0
  private var outcome: MeterStep?

  init(_ description: MeterDescription) {
    meter = description.displayName
    let profile = description.model?.profile ?? MeterProfile()
    setup =
      [MeterStep].rest(profile.restBeforeSubscribing)
      + [.perform(.subscribe(.bloodPressureMeasurement), within: MeterTiming.request)]
  }

  var receivedCount: Int { seen.count }

  func next() -> MeterStep {
    outcome ?? setup.first ?? .await(within: seen.isEmpty ? MeterTiming.firstMeasurement : MeterTiming.cuffQuiet)
  }

  mutating func feed(_ event: MeterEvent) {
    guard outcome == nil else { return }
    switch event {
    case .value(.bloodPressureMeasurement, let bytes): keep(bytes)
    case .value: break
    case .accepted: setup.passRequest()
    case .refused(let refusal): outcome = .failed(MeterError(meter, .subscribe(.bloodPressureMeasurement), refusal))
    case .quiet:
      if setup.passRest() { return }
      outcome = setup.isEmpty ? .finished : .failed(.silent(meter: meter, received: receivedCount))
    case .disconnected: outcome = seen.isEmpty ? .failed(.disconnected(meter: meter, received: 0)) : .finished
    case .cancelled: outcome = .failed(.cancelled(meter: meter, received: receivedCount))
    }
  }

  mutating func takeRecords() -> [MeterRecord] {
    defer { ready = [] }
    return ready
  }

  private mutating func keep(_ bytes: [UInt8]) {
    packetCount += 1
    guard packetCount <= MeterTiming.maximumPackets else { return outcome = .failed(.tooManyPackets(meter: meter)) }
    do throws(PacketError) {
      let record = try BloodPressureRecord(bytes)
      if seen.insert(bytes).inserted { ready.append(.bloodPressure(record)) }
    } catch {
      rejected.append(RejectedPacket(bytes: bytes, reason: error))
    }
  }
}

extension [MeterStep] {
  /// A pause as a step; no step for no pause.
  static func rest(_ duration: Duration) -> [MeterStep] { duration > .zero ? [.await(within: duration)] : [] }

  /// Removes a first step that is a request, because it was accepted.
  mutating func passRequest() { if case .perform = first { removeFirst() } }

  /// Removes a first step that is a pause, because it is over; false for any other.
  mutating func passRest() -> Bool {
    guard case .await = first else { return false }
    removeFirst()
    return true
  }
}

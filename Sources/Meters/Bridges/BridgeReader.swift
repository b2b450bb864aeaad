// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import NFCTransport

/// A bridge as a reader. It reads the sensor by itself, every five minutes, and sends the whole memory; requests are
/// answered from that, so that a scan is the same as on every reader. The next reading counts as the next tap.
///
/// Untested on hardware.
package actor BridgeReader: TagReader {
  private let address: ReaderAddress
  private let language: BridgeLanguage
  private let link: any MeterLink
  private let now: @Sendable () -> Duration
  private let finish: @Sendable () async -> Void
  private var procedure: BridgeProcedure
  private var reading: BridgeReading?
  /// True if no wait has returned for the reading yet.
  private var isNew = false
  /// Blocks of the reading that were asked for.
  private var delivered: Set<Int> = []
  private var repetitions = 0

  /// Most readings that are asked for in place of one with a wrong checksum.
  static let maximumRepetitions = 2

  /// Subscribes to a connected bridge and waits for its first reading, so that a bridge without a sensor is a reader that
  /// cannot be used. `now` may count from any moment; `finish` is called after the end of the link.
  ///
  /// - Throws: `readerUnfit` with the reason why the bridge has no reading, `cancelled`.
  package static func open(
    _ link: any MeterLink, speaking language: BridgeLanguage, at address: ReaderAddress, acceptsSensor: Bool,
    now: @escaping @Sendable () -> Duration = ObservedReader.uptime, finish: @escaping @Sendable () async -> Void = {}
  ) async throws(TransportError) -> BridgeReader {
    let reader = BridgeReader(link, language, address, acceptsSensor: acceptsSensor, now: now, finish: finish)
    do throws(TransportError) {
      try await reader.begin()
      return reader
    } catch {
      await reader.close()
      throw error
    }
  }

  private init(
    _ link: any MeterLink, _ language: BridgeLanguage, _ address: ReaderAddress, acceptsSensor: Bool,
    now: @escaping @Sendable () -> Duration, finish: @escaping @Sendable () async -> Void
  ) {
    (self.link, self.language, self.address, self.now, self.finish) = (link, language, address, now, finish)
    procedure = BridgeProcedure(language, acceptsSensor: acceptsSensor)
  }

  private func begin() async throws(TransportError) {
    switch await link.perform(.subscribe(.bridgeAnswer), within: MeterTiming.request) {
    case .accepted, .value: break
    case .refused(let reason): throw error(.refused(reason))
    case .quiet: throw error(.silent)
    case .disconnected: throw error(.lost)
    case .cancelled: throw .cancelled
    }
    guard try await receive(within: BridgeTiming.reading) else { throw error(.silent) }
  }

  package var description: ReaderDescription {
    ReaderDescription(
      address: address.description, name: reading?.firmware.map { "\(name), firmware \($0)" } ?? name,
      dialect: language.rawValue, batteryPercent: reading?.batteryPercent)
  }

  private var name: String { link.identity.name ?? link.identity.address }

  // MARK: The sensor

  /// Returns at once for a reading that has arrived, else waits for the next one.
  package func waitForTag(within timeout: Duration) async throws(TransportError) {
    if Task.isCancelled { throw .cancelled }
    if !isNew, !(try await receive(within: timeout)) { throw .noTag }
    (isNew, delivered, repetitions) = (false, [], 0)
  }

  /// Whoever asks for a block again wants it newer, because a checksum was wrong. Then the bridge reads the sensor again.
  package func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    if Task.isCancelled { throw .cancelled }
    let blocks = request.blocks ?? 0..<0
    if blocks.contains(where: delivered.contains), repetitions < Self.maximumRepetitions {
      repetitions += 1
      try await renew(at: request.firstBlock)
    }
    guard let image = reading?.image else { throw .noTag }
    delivered.formUnion(blocks)
    guard let answer = SimulatedTag.answer(of: image, to: request) else { throw .tagSilent(block: request.firstBlock) }
    return answer
  }

  /// Replaces the reading by a newer one; keeps it if none comes.
  private func renew(at block: Int?) async throws(TransportError) {
    let before = reading?.image.uid
    procedure.ask()
    do throws(TransportError) {
      guard try await receive(within: BridgeTiming.reading) else { return }
    } catch {
      if error == .cancelled { throw error }
      return
    }
    delivered = []
    // Another sensor is the next tap.
    if reading?.image.uid != before { throw .tagLost(block: block) }
    isNew = false
  }

  /// Waits for the reading that the bridge sends next.
  package func waitForRemoval() async throws(TransportError) {
    while !isNew { _ = try await receive(within: .seconds(86_400)) }
  }

  package func close() async {
    (reading, isNew) = (nil, false)
    await link.disconnect()
    await finish()
  }

  // MARK: The conversation

  /// Goes on with the conversation until a reading is there; false if the time is up before.
  private func receive(within limit: Duration) async throws(TransportError) -> Bool {
    let end = now() + limit
    while true {
      switch procedure.takeNews() {
      case .reading(let reading):
        (self.reading, isNew) = (reading, true)
        return true
      case .fault(let fault): throw error(fault)
      case nil: break
      }
      let left = end - now()
      guard left > .zero else { return false }
      let event: MeterEvent
      switch procedure.next() {
      case .perform(let request, let timeout): event = await link.perform(request, within: timeout)
      case .await(let pause):
        event = await link.nextEvent(within: min(pause, left))
        if event == .quiet, left < pause { return false }
      case .finished, .failed: return false
      }
      if event == .cancelled { throw .cancelled }
      procedure.feed(event)
    }
  }

  private func error(_ fault: BridgeFault) -> TransportError {
    .readerUnfit(name: name, reason: fault.reason, remedy: fault.remedy)
  }
}

extension BridgeFault {
  var reason: String {
    switch self {
    case .noSensor: "it does not feel a sensor"
    case .otherSensor: "another sensor than before is below it, and it waits for your consent"
    case .silent: "it is connected and sends nothing"
    case .incomplete: "its readings do not arrive whole"
    case .refused(.absent): "it lacks the service of a bridge"
    case .refused(let refusal): "it refused a request: \(refusal.text)"
    case .lost: "the connection was lost"
    }
  }

  var remedy: String {
    switch self {
    case .noSensor: "press it onto the sensor, look whether its sticker still holds, and charge it"
    case .otherSensor: "run the same command with --accept-sensor"
    case .silent: "press the reset button of the bridge, and close its app on phones that are near"
    case .incomplete: "bring it within two metres of this machine, away from its Wi-Fi"
    case .refused: "press the reset button of the bridge; if it refuses again, please report it with -v -v"
    case .lost: "bring it within a few metres of this machine; libre watch connects again by itself"
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package import Meters

/// A simulated bridge, behind the same protocol as a real one. It sends what a real one sends, and shares no code with
/// what understands it. It needs no Bluetooth; time passes on its clock while it is listened to.
package actor SimulatedBridge: MeterLink {
  package nonisolated let identity: MeterIdentity
  package nonisolated let characteristics: Set<MeterCharacteristic> = [.bridgeCommand, .bridgeAnswer]

  package nonisolated let language: BridgeLanguage
  private let fault: SimulatedBridgeFault?
  private let image: @Sendable (_ time: Duration) -> MemoryImage
  private let clock: any Clock<Duration>
  private let pieceLength: Int
  private var now = Duration.zero
  private var coming: [(at: Duration, event: MeterEvent)] = []
  private var nextReport: Duration?
  private var isSubscribed = false
  private var isConnected = true
  private var hasAccepted = false
  private var transfers = 0

  /// `image` is the sensor's memory at a time after the beginning. The bytes are sent in pieces of `pieceLength`.
  package init(
    _ language: BridgeLanguage, _ fault: SimulatedBridgeFault? = nil, pieceLength: Int = 20,
    clock: any Clock<Duration> = ContinuousClock(), image: @escaping @Sendable (_ time: Duration) -> MemoryImage
  ) {
    let name = language == .miaoMiao ? "miaomiao2 simulated" : "Bubble simulated"
    identity = MeterIdentity(address: "sim:bridge", name: name)
    (self.language, self.fault, self.pieceLength, self.clock, self.image) = (language, fault, pieceLength, clock, image)
  }

  // MARK: MeterLink

  package func perform(_ request: MeterRequest, within timeout: Duration) async -> MeterEvent {
    if Task.isCancelled { return .cancelled }
    guard isConnected else { return .disconnected }
    switch request {
    case .subscribe(.bridgeAnswer): isSubscribed = true
    case .bridge(let request):
      guard isSubscribed else { return .refused(.notSubscribed) }
      switch (language, request) {
      case (.miaoMiao, .miaoMiaoReading), (.bubble, .bubbleStart): report()
      case (.miaoMiao, .acceptSensor): hasAccepted = true
      case (.bubble, .bubbleReading): transfer()
      // Commands of the other kind mean nothing to it.
      case (.miaoMiao, _), (.bubble, _): break
      }
    case .read, .subscribe, .records, .oneTouch: return .refused(.absent)
    }
    return .accepted
  }

  package func nextEvent(within timeout: Duration) async -> MeterEvent {
    if Task.isCancelled { return .cancelled }
    let end = now + timeout
    if coming.isEmpty, let due = nextReport, due <= end {
      guard await sleep(until: due) else { return .cancelled }
      report()
    }
    guard isConnected else { return .disconnected }
    guard let next = coming.first, next.at <= end else { return await sleep(until: end) ? .quiet : .cancelled }
    guard await sleep(until: next.at) else { return .cancelled }
    coming.removeFirst()
    if next.event == .disconnected { isConnected = false }
    return next.event
  }

  package func disconnect() async { isConnected = false }

  private func sleep(until time: Duration) async -> Bool {
    guard time > now else { return true }
    do { try await clock.sleep(for: time - now) } catch { return false }
    now = max(now, time)
    return true
  }

  // MARK: Sending

  private func send(_ pieces: [[UInt8]]) {
    let at = now + .milliseconds(200)
    coming += pieces.map { (at, .value(.bridgeAnswer, $0)) }
  }

  /// Sends what is due every five minutes.
  private func report() {
    nextReport = now + .seconds(300)
    switch language {
    case .miaoMiao: transfer()
    case .bubble: send([[0x80, 0x00, 2, 0, battery, 0, 0, 2, 0]])
    }
  }

  private var battery: UInt8 { fault == .lowBattery ? 15 : 92 }

  private func transfer() {
    if fault == .noSensor { return send([language == .miaoMiao ? [0x34] : [0xBF, 0x00]]) }
    if fault == .otherSensor, !hasAccepted, language == .miaoMiao { return send([[0x32]]) }
    transfers += 1
    let image = image(now)
    var memory = image.bytes
    if fault == .checksum, transfers == 1 { memory[100] ^= 0x10 }
    let uid = (image.uid?.bytes ?? []).reversed()
    var pieces: [[UInt8]]
    switch language {
    case .miaoMiao:
      let header = [0x28, 0x01, 0x71] + memory[316..<318].reversed() + uid + [battery, 0x00, 0x07, 0x10, 0x01]
      pieces = cut(header + memory + [0x29] + (image.patchInfo?.bytes ?? []), pieceLength)
    case .bubble:
      pieces = [[0xC0, 0x00] + uid, [0xC1, 0, 0, 0, 0] + (image.patchInfo?.bytes ?? [])]
      pieces += cut(memory, max(pieceLength - 4, 1)).map { [0x82, 0, 0, 0] + $0 }
    }
    if fault == .half || fault == .drop, transfers == 1 { pieces.removeLast(pieces.count / 2) }
    send(pieces)
    if fault == .drop, transfers == 1 { coming.append((now + .milliseconds(200), .disconnected)) }
  }

  private func cut(_ bytes: [UInt8], _ length: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<min($0 + length, bytes.count)]) }
  }
}

/// One thing that goes wrong with a simulated bridge.
package enum SimulatedBridgeFault: String, Sendable, CaseIterable {
  case otherSensor = "other-sensor"
  case noSensor = "no-sensor"
  case half
  case checksum
  case drop
  case lowBattery = "low-battery"
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The language of Bubble and Atom: each notification has a header of its own (Meters/BridgePackets, "Bubble").
struct BubbleAssembly: BridgeAssembly {
  private var battery: UInt8?
  private var firmware: (major: UInt8, minor: UInt8)?
  private var hardware: (major: UInt8, minor: UInt8)?
  /// The UID of the reading that is under way.
  private var uid: ArraySlice<UInt8>?
  private var patchInfo: [UInt8]?
  private var memory: [UInt8] = []

  let opening = BridgeRequest.bubbleStart
  let repetition = BridgeRequest.bubbleReading
  let patience = (times: 2, pause: Duration.seconds(5))

  var pause: Duration? { uid == nil ? nil : .seconds(6) }

  private static let headerLength = 4

  mutating func feed(_ packet: [UInt8]) -> BridgeSignal? {
    switch packet.first {
    case 0x80 where packet.count >= 5:
      forget()
      firmware = (packet[2], packet[3])
      battery = packet[4]
      // Counted from the end: the middle differs in length.
      hardware = packet.count < 9 ? nil : (packet[packet.count - 2], packet[packet.count - 1])
      return .ready
    case 0xC0 where packet.count >= 10:
      forget()
      uid = packet[2..<10]
    case 0xC1 where uid != nil:
      let isEarly = firmware.map { $0 < (1, 35) } ?? false
      let place = isEarly ? 3..<9 : 5..<11
      if packet.count >= place.upperBound { patchInfo = Array(packet[place]) }
    case 0x82, 0x88, 0x8C:
      // It is the rest of an earlier reading if the UID has not come.
      guard let uid else { return nil }
      memory += packet.dropFirst(Self.headerLength)
      guard memory.count >= BridgeReading.memoryLength else { return nil }
      defer { forget() }
      let reading = BridgeReading(
        memory, uid: uid, patchInfo: patchInfo, battery: battery, firmware: text(firmware), hardware: text(hardware))
      return reading.map { .reading($0) } ?? .incomplete
    case 0xBF:
      forget()
      return .noSensor
    default: break
    }
    return nil
  }

  mutating func feedSilence() -> BridgeSignal? {
    forget()
    return .incomplete
  }

  private mutating func forget() { (uid, patchInfo, memory) = (nil, nil, []) }

  private func text(_ version: (major: UInt8, minor: UInt8)?) -> String? { version.map { "\($0.major).\($0.minor)" } }
}

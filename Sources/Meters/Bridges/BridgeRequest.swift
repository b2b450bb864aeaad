// SPDX-License-Identifier: Apache-2.0

/// Everything that can be written to a bridge: four byte strings, none of which reaches the sensor.
///
/// A bridge passes other commands on to the sensor, among them the one that starts its life, or loads a firmware by them
/// (Meters/BridgePackets, "What is never sent"). The interval between two readings is left as its owner has set it.
package enum BridgeRequest: Hashable, Sendable, CaseIterable {
  /// MiaoMiao: a reading now, and further ones at the bridge's own interval.
  case miaoMiaoReading
  /// MiaoMiao: the sensor below it is the new one. Asked for by the user only.
  case acceptSensor
  /// Bubble: reports itself now and every five minutes.
  case bubbleStart
  /// Bubble: the 43 blocks as they are.
  case bubbleReading

  package var bytes: [UInt8] {
    switch self {
    case .miaoMiaoReading: [0xF0]
    case .acceptSensor: [0xD3, 0x01]
    case .bubbleStart: [0x00, Self.application, 5]
    case .bubbleReading: [0x02, Self.application, 0, 0, 0, 43]
    }
  }

  /// A number for the program, the same in all requests of one: the bridge repeats it in some answers.
  private static let application: UInt8 = 0xA0
}

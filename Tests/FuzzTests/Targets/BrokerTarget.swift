// SPDX-License-Identifier: Apache-2.0

@testable import SampleSync

/// Bytes of an MQTT broker, to a session that is connecting, publishing, or waiting for acknowledgements.
enum BrokerTarget {
  static let all = [
    FuzzTarget(
      name: "broker", seeds: { seeds }, words: ["\u{20}\u{3}\0\0\0", "\u{40}\u{2}\0\u{1}", "\u{60}\0", "\0\u{4}MQTT"],
      longest: 20_000, testRuns: 2_000, run: run)
  ]

  /// The version and what is published, then the broker's bytes.
  private static let seeds: [[UInt8]] = [
    [0, 3] + welcome + [0x40, 2, 0, 1, 0x40, 3, 0, 2, 0x10, 0x40, 4, 0, 3, 0x87, 0],
    [1, 1, 0x20, 2, 0, 0, 0x40, 2, 0, 1], [1, 0, 0x20, 2, 0, 5],
    [0, 0, 0x20, 12, 0, 0, 9, 0x21, 0, 20, 0x22, 0, 10, 0x13, 0, 60], [0, 9] + welcome + [0xE0, 2, 0x8B, 0],
    [0, 0, 0x20, 0xFF, 0xFF, 0x7F] + [UInt8](repeating: 0, count: 17_000),
    [0, 2] + welcome + [0x30, 8, 0, 3, 0x61, 0x2F, 0x62, 0, 1, 2], [0, 0] + Array("SSH-2.0-OpenSSH_9.2\r\n".utf8),
  ]
  private static let welcome: [UInt8] = [0x20, 3, 0, 0, 0]

  /// The broker's bytes after the welcome give the same at once and one by one, and never more is delivered than was
  /// acknowledged.
  private static func run(_ input: [UInt8]) throws {
    var draw = FuzzBytes(input)
    let version: MQTTPacket.Version = draw.flag() ? .v311 : .v5
    let count = draw.index(below: 200)
    let bytes = Array(draw.rest)
    let broker = MQTTBroker(host: "localhost", port: 1883, encryption: .none, clientID: "x")
    var session = MQTTSession(broker, version, lastID: 0)
    var place = 0
    while session.connection == nil {
      guard place < bytes.count, (try? session.take([bytes[place]])) != nil else { return }
      place += 1
    }
    let messages = [MQTTMessage](
      repeating: MQTTMessage(topic: "a", payload: [], isRetained: false), count: count)
    guard session.connection?.code == 0, (try? session.publish(messages)) != nil else { return }
    let rest = bytes[place...]
    let atOnce = feed([Array(rest)], to: session)
    let inPieces = feed(rest.map { [$0] }, to: session)
    try require(atOnce == inPieces, "\(atOnce) at once, \(inPieces) in pieces")
    // The shortest acknowledgement has four bytes.
    try require(!atOnce.isDelivered || rest.count >= count * 4, "\(count) delivered by \(rest.count) bytes")
  }

  private struct Outcome: Hashable {
    let error: Verdict?
    let isDelivered: Bool
  }

  private static func feed(_ pieces: [[UInt8]], to session: MQTTSession) -> Outcome {
    var session = session
    do throws(Verdict) {
      for piece in pieces { try session.take(piece) }
      return Outcome(error: nil, isDelivered: session.isDelivered)
    } catch {
      return Outcome(error: error, isDelivered: false)
    }
  }
}

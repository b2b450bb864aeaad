// SPDX-License-Identifier: Apache-2.0
import CGMModel

@testable import Meters

/// Plays a bridge against the procedure, in a time of its own: notifications at their times, and every write accepted.
struct BridgeScript {
  typealias Notification = (at: Duration, bytes: [UInt8])

  private(set) var writes: [String] = []
  private(set) var times: [Duration] = []
  private(set) var news: [BridgeProcedure.News] = []

  var readings: [BridgeReading] {
    news.compactMap { if case .reading(let reading) = $0 { reading } else { nil } }
  }
  var faults: [BridgeFault] { news.compactMap { if case .fault(let fault) = $0 { fault } else { nil } } }

  /// `onWrite` gives the notifications after a write, and how long after it each comes; the number counts writes from 1.
  init(
    _ language: BridgeLanguage, accepts: Bool = false, for length: Duration = .seconds(200),
    onWrite: (_ bytes: String, _ number: Int) -> [Notification]
  ) {
    var procedure = BridgeProcedure(language, acceptsSensor: accepts)
    var now = Duration.zero
    var coming: [Notification] = []
    while now < length {
      switch procedure.next() {
      case .perform(.bridge(let request), _):
        writes.append(HexText.string(of: request.bytes, separator: " "))
        times.append(now)
        for notification in onWrite(writes[writes.count - 1], writes.count) {
          let at = now + notification.at
          coming.insert((at, notification.bytes), at: coming.firstIndex { $0.at > at } ?? coming.count)
        }
        procedure.feed(.accepted)
      case .await(let pause):
        if let next = coming.first, next.at <= now + pause {
          now = max(now, next.at)
          coming.removeFirst()
          procedure.feed(.value(.bridgeAnswer, next.bytes))
        } else {
          now += pause
          procedure.feed(.quiet)
        }
      case .perform, .finished, .failed: return
      }
      if let news = procedure.takeNews() { self.news.append(news) }
    }
  }

  /// All notifications at once, a second after the write.
  static func burst(_ pieces: [[UInt8]], after pause: Duration = .seconds(1)) -> [Notification] {
    pieces.map { (pause, $0) }
  }
}

/// What a bridge sends, made here and not by the code under test.
enum BridgeBytes {
  static let uid: [UInt8] = [0x84, 0xC6, 0xB8, 0x60, 0x00, 0xA0, 0x07, 0xE0]
  static let patchInfo: [UInt8] = [0xA2, 0x00, 0x00, 0x08, 0x1E, 0x00]
  /// A memory in which the bytes that mean something to a bridge's language occur everywhere.
  static let memory: [UInt8] = (0..<344).map { [0x28, 0x29, 0x32, 0x34, 0x80, 0xC0, 0xBF][$0 % 7] }

  /// The stream of a MiaoMiao, with its end mark; `patchInfo` follows it.
  static func miaoMiao(
    _ memory: [UInt8] = memory, uid: [UInt8] = uid, battery: UInt8 = 92, announced: [UInt8] = [0x01, 0x6B],
    patchInfo: [UInt8] = patchInfo
  ) -> [UInt8] {
    [0x28] + announced + [0x02, 0x94] + uid + [battery, 0x00, 0x07, 0x10, 0x01] + memory + [0x29] + patchInfo
  }

  static func status(_ major: UInt8, _ minor: UInt8) -> [UInt8] { [0x80, 0xEE, major, minor, 92, 0xEE, 0xEE, 2, 0] }

  /// The packets of a Bubble's reading; the early firmware fills the last one up.
  static func bubble(
    _ memory: [UInt8] = memory, uid: [UInt8] = uid, info: [UInt8]? = [0xC1, 0xEE, 0xEE, 0xEE, 0xEE] + patchInfo,
    kind: UInt8 = 0x82, padding: Int = 0, length: Int = 16
  ) -> [[UInt8]] {
    [[0xC0, 0xEE] + uid] + (info.map { [$0] } ?? [])
      + cut(memory + [UInt8](repeating: 0, count: padding), length).map { [kind, 0xEE, 0xEE, 0xEE] + $0 }
  }

  static func cut(_ bytes: [UInt8], _ length: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<min($0 + length, bytes.count)]) }
  }
}

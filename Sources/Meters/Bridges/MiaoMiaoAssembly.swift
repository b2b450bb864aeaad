// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The language of MiaoMiao and Watlaa: a reading is a stream, cut into notifications anywhere
/// (Meters/BridgePackets, "MiaoMiao").
struct MiaoMiaoAssembly: BridgeAssembly {
  private var stream: [UInt8] = []
  /// The pieces that are ignored until a silence; nil if all are taken. Any piece of a stream can look like the beginning
  /// of another.
  private var ignored: Ignored?

  private enum Ignored {
    /// The pieces of a stream whose beginning was lost.
    case rest
    /// All that follows a reading without a pause: another one, or the surplus of an early firmware.
    case surplus
  }

  let opening = BridgeRequest.miaoMiaoReading
  let repetition = BridgeRequest.miaoMiaoReading
  let patience = (times: 1, pause: Duration.seconds(30))

  var pause: Duration? {
    if ignored != nil { return Self.silence }
    return stream.isEmpty ? nil : stream.count < Layout.length ? Self.silence : Self.rest
  }

  private static let silence = Duration.seconds(3)
  /// Wait for the patch info, which only some firmwares send.
  private static let rest = Duration.milliseconds(300)

  private enum Layout {
    static let start: UInt8 = 0x28
    static let uid = 5..<13
    static let battery = 13
    static let firmware = 14..<16
    static let hardware = 16..<18
    static let memory = 18..<362
    static let endMark = 362
    static let end: UInt8 = 0x29
    static let length = 363
    static let patchInfo = 363..<369
  }

  mutating func feed(_ piece: [UInt8]) -> BridgeSignal? {
    guard let first = piece.first, ignored == nil else { return nil }
    if stream.isEmpty {
      switch (first, piece.count) {
      case (0x32, 1): return .otherSensor
      case (0x34, 1): return .noSensor
      // An answer to the setting of the interval, for which another program may have asked.
      case (0xD1, 2): return nil
      case (Layout.start, _): break
      default:
        ignored = .rest
        return nil
      }
    }
    stream += piece
    guard stream.count >= Layout.patchInfo.upperBound else { return nil }
    ignored = .surplus
    return reading()
  }

  mutating func feedSilence() -> BridgeSignal? {
    switch ignored.take() {
    case nil: reading()
    case .rest: .incomplete
    case .surplus: nil
    }
  }

  /// The reading in the stream, which is empty afterwards. The announced length is not reliable, and whether the memory is
  /// whole is left to its checksums.
  private mutating func reading() -> BridgeSignal {
    defer { stream = [] }
    guard stream.count >= Layout.length else { return .incomplete }
    var patchInfo: [UInt8]?
    // Six bytes that begin another reading are not the patch info of this one.
    if stream.count == Layout.patchInfo.upperBound, stream[Layout.endMark] == Layout.end,
      stream[Layout.patchInfo.lowerBound] != Layout.start
    {
      patchInfo = Array(stream[Layout.patchInfo])
    }
    let reading = BridgeReading(
      stream[Layout.memory], uid: stream[Layout.uid], patchInfo: patchInfo, battery: stream[Layout.battery],
      firmware: HexText.string(of: stream[Layout.firmware]), hardware: HexText.string(of: stream[Layout.hardware]))
    return reading.map { .reading($0) } ?? .incomplete
  }
}

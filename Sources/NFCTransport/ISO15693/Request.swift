// SPDX-License-Identifier: Apache-2.0

/// The protocol between a reader and a sensor, ISO 15693-3, as far as reading a memory needs it.
///
/// A frame here excludes its start mark and its checksum: readers add and check the CRC themselves.
public enum ISO15693 {}

extension ISO15693 {
  /// A request to the tag in the field. None of them can change a tag.
  ///
  /// One command starts a sensor for good and others can destroy it (NFCTransport/ReadingOverTheAir, "Why no other
  /// command"), so the type is closed: it has no case for a write, a lock, an unlock, an activation, or bytes of the
  /// caller's choice.
  ///
  /// NFCTransport/ReadingOverTheAir, "Commands", has the frames. Those with wide block numbers are custom commands of a
  /// Libre Pro and a Libre 2 (read: DiaBLE, where the system inserts the manufacturer; untested on a sensor).
  public enum Request: Hashable, Sendable {
    /// Asks the tag for its UID.
    case inventory
    /// Asks for the number and the size of its blocks.
    case systemInformation
    case readBlock(UInt8)
    case readBlocks(BlockRun)
    /// Asks a sensor for its product. The meaning of a custom command depends on the chip's manufacturer, so it is sent
    /// only to manufacturers of sensors.
    case patchInfo(Manufacturer)
    /// Reads a block whose number may be above 255.
    case readWideBlock(UInt16, Manufacturer)
    /// Reads blocks whose numbers may be above 255.
    case readWideBlocks(WideBlockRun, Manufacturer)

    /// Bytes on air: high data rate, one sub-carrier, addressed to any tag; without CRC. The first byte has the flags,
    /// the second the command's code.
    public var frame: [UInt8] {
      switch self {
      case .inventory: [0x26, 0x01, 0x00]
      case .systemInformation: [0x02, 0x2B]
      case .readBlock(let block): [0x02, 0x20, block]
      case .readBlocks(let run): [0x02, 0x23, run.first, run.count - 1]
      case .patchInfo(let manufacturer): [0x02, 0xA1, manufacturer.rawValue]
      case .readWideBlock(let block, let manufacturer):
        [0x02, 0xB0, manufacturer.rawValue, UInt8(block & 0xFF), UInt8(block >> 8)]
      case .readWideBlocks(let run, let manufacturer):
        [0x02, 0xB3, manufacturer.rawValue, UInt8(run.first & 0xFF), UInt8(run.first >> 8), run.count - 1]
      }
    }

    /// The frame addressed to one tag, for readers that lose others; nil for the inventory, which asks who is there.
    package func frame(addressedTo uid: SensorUID) -> [UInt8]? {
      if self == .inventory { return nil }
      var frame = frame
      frame[0] |= 0x20
      // The UID stands behind the command's code, or its manufacturer.
      frame.insert(contentsOf: uid.bytes.reversed(), at: manufacturer == nil ? 2 : 3)
      return frame
    }

    /// Creates the request of a frame, as a program that carries frames for another gets them; nil for any other bytes,
    /// so also for every command that could change a tag.
    public init?(frame: [UInt8]) {
      let numbers = frame.map(Int.init)
      var candidates: [Request?] = [.inventory, .systemInformation]
      if numbers.count > 2 {
        let count = numbers[numbers.count - 1] + 1
        candidates += [.readBlock(frame[2]), BlockRun(first: numbers[2], count: count).map(Request.readBlocks)]
        if let manufacturer = Manufacturer(rawValue: frame[2]) {
          candidates.append(.patchInfo(manufacturer))
          if numbers.count > 4 {
            let first = numbers[3] | numbers[4] << 8
            candidates.append(.readWideBlock(UInt16(first), manufacturer))
            candidates.append(WideBlockRun(first: first, count: count).map { .readWideBlocks($0, manufacturer) })
          }
        }
      }
      guard let request = candidates.compactMap(\.self).first(where: { $0.frame == frame }) else { return nil }
      self = request
    }

    /// Manufacturer that defined the command; nil for a standard one. How fast a custom command is answered is not
    /// known.
    public var manufacturer: Manufacturer? {
      switch self {
      case .patchInfo(let manufacturer), .readWideBlock(_, let manufacturer), .readWideBlocks(_, let manufacturer):
        manufacturer
      case .inventory, .systemInformation, .readBlock, .readBlocks: nil
      }
    }

    /// The numbers of the blocks that it asks for; nil for a request that reads none.
    public var blocks: Range<Int>? {
      switch self {
      case .readBlock(let block): Int(block)..<Int(block) + 1
      case .readBlocks(let run): Int(run.first)..<Int(run.first) + Int(run.count)
      case .readWideBlock(let block, _): Int(block)..<Int(block) + 1
      case .readWideBlocks(let run, _): Int(run.first)..<Int(run.first) + Int(run.count)
      case .inventory, .systemInformation, .patchInfo: nil
      }
    }

    package var firstBlock: Int? { blocks?.lowerBound }
  }

  /// One to three consecutive blocks: a sensor refuses to send more at once (read: DiaBLE, xdripswift; Abbott's own
  /// reader never asks for more).
  public struct BlockRun: Hashable, Sendable {
    package let first: UInt8
    package let count: UInt8

    package static let maximumCount = 3

    package init?(first: Int, count: Int) {
      guard (1...Self.maximumCount).contains(count), (0...256 - count).contains(first) else { return nil }
      self.first = UInt8(first)
      self.count = UInt8(count)
    }
  }

  /// One to three consecutive blocks with 16-bit numbers. The maximum of three is read here too: DiaBLE never asks for
  /// more.
  public struct WideBlockRun: Hashable, Sendable {
    package let first: UInt16
    package let count: UInt8

    package init?(first: Int, count: Int) {
      guard (1...BlockRun.maximumCount).contains(count), (0...65_536 - count).contains(first) else { return nil }
      self.first = UInt16(first)
      self.count = UInt8(count)
    }
  }

  /// Manufacturers of sensor chips: the byte after `E0` in the UID (ISO 7816-6).
  public enum Manufacturer: UInt8, Hashable, Sendable, CaseIterable {
    case texasInstruments = 0x07
    /// Newer sensors (read: xDrip).
    case abbott = 0x7A
  }
}

extension ISO15693 {
  /// The answer with data, as `TagReader.exchange` returns it. A system that takes the flags off the answer, such as
  /// CoreNFC, hands over the data alone.
  public static func answer(_ data: [UInt8]) -> [UInt8] { [0x00] + data }
}

extension ISO15693.Request {
  /// Time on air of an exchange whose answer has `answerByteCount` bytes, flags first and without CRC, from the
  /// request's start mark to the earliest next request (NFCTransport/ReadingOverTheAir, "Timing").
  package func airTime(answerByteCount: Int) -> Duration {
    let bytes = frame.count + answerByteCount + 2 * AirTime.checksumBytes
    let periods =
      AirTime.requestMarks + AirTime.answerMarks + bytes * AirTime.byte + AirTime.beforeAnswer + AirTime.beforeRequest
    return .nanoseconds(periods * 1_000_000_000 / AirTime.carrierHertz)
  }
}

/// Durations on air, in periods of the carrier.
private enum AirTime {
  static let carrierHertz = 13_560_000
  /// 302.06 µs, in either direction.
  static let byte = 4096
  static let checksumBytes = 2
  /// Start 75.52 µs and end 37.76 µs.
  static let requestMarks = 1024 + 512
  /// Start and end, 151.03 µs each.
  static let answerMarks = 2048 + 2048
  /// t1, 320.9 µs: the tag's delay before its answer.
  static let beforeAnswer = 4352
  /// t2, 309.1 µs: the reader's minimum delay before the next request.
  static let beforeRequest = 4192
}

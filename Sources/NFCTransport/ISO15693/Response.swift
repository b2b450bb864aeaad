// SPDX-License-Identifier: Apache-2.0

extension ISO15693 {
  /// A tag's answer: data, or the reason for a refusal.
  public enum Response: Hashable, Sendable {
    case inventory(SensorUID)
    case systemInformation(SensorUID)
    /// Eight bytes for each requested block.
    case blocks([UInt8])
    case patchInfo(PatchInfo)
    case error(TagError)

    /// The bytes of a block.
    public static let blockSize = 8

    /// Parses an answer: response flags first, without CRC.
    ///
    /// - Throws: `malformedResponse` for other formats and lengths.
    public init(_ frame: [UInt8], to request: Request) throws(TransportError) {
      guard let response = Self.parse(frame, request) else {
        throw .malformedResponse(to: request, length: frame.count)
      }
      self = response
    }

    private static func parse(_ frame: [UInt8], _ request: Request) -> Response? {
      guard let flags = frame.first else { return nil }
      let data = Array(frame.dropFirst())
      if flags & 1 == 1 { return data.count == 1 ? .error(TagError(code: data[0])) : nil }
      guard flags == 0 else { return nil }
      switch request {
      case .inventory: return data.count == 9 ? SensorUID(onAir: data[1...]).map(Response.inventory) : nil
      case .systemInformation: return systemUID(data).map(Response.systemInformation)
      case .readBlock, .readBlocks, .readWideBlock, .readWideBlocks:
        return data.count == request.blocks.map { $0.count * blockSize } ? .blocks(data) : nil
      case .patchInfo: return PatchInfo.taken(from: data).map(Response.patchInfo)
      }
    }

    /// The UID in system information (NFCTransport/ReadingOverTheAir, "System information"): a byte that lists the
    /// parts (bits 0…3: data format, application family, size, chip), the UID, the parts, which are not used.
    private static func systemUID(_ data: [UInt8]) -> SensorUID? {
      guard data.count >= 9, data[0] & 0xF0 == 0 else { return nil }
      let lengths = [1, 1, 2, 1].enumerated().map { data[0] >> $0.offset & 1 == 1 ? $0.element : 0 }
      return data.count == 9 + lengths.reduce(0, +) ? SensorUID(onAir: data[1..<9]) : nil
    }
  }
}

extension SensorUID {
  /// The UID in the order of the air interface, lowest byte first; nil unless the last is `E0`.
  package init?(onAir bytes: ArraySlice<UInt8>) {
    self.init(bits: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }
}

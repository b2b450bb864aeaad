// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import DumpFormats
import Libre1Core
import NFCTransport

/// Replaces what names a sensor in memories and transcripts, so that they can be given away
/// (libre/DecodeADump, "Give it away").
///
/// A sensor has the same new UID in all that one anonymiser takes, and another in what the next one takes.
package struct Anonymiser {
  private var generator: any RandomNumberGenerator
  private var newUIDs: [SensorUID: SensorUID] = [:]
  private var zeroedScans = 0

  package init(generator: any RandomNumberGenerator = SystemRandomNumberGenerator()) { self.generator = generator }

  /// Sentences for the person who gives the files away.
  package var remarks: [String] {
    let stays =
      "UID and serial number are invented, and the time of the scan is left out. Glucose, temperatures, age and the factory's numbers stay: who has another dump of this sensor can recognise it"
    let zeroed =
      "no checksum proves what the memory in \(zeroedScans) of the scans holds, which may be the UID as its key, so that its bytes are written as 00"
    return zeroedScans == 0 ? [stays] : [stays, zeroed]
  }

  // MARK: Memories

  /// Returns the memory of a sensor with another UID, encrypted and damaged like the given one.
  /// - Throws: `memory` for bytes that no checksum proves, because they may be encrypted with the UID.
  package mutating func anonymous(_ image: MemoryImage) throws(LibreError) -> MemoryImage {
    let memory = CheckedMemory(image)
    let disguise: Disguise
    do throws(MemoryError) { disguise = try self.disguise(of: memory) } catch { throw .memory(error) }
    var bytes = disguise.applied(to: image.bytes.prefix(disguise.length), at: 0)
    let missing = image.missingBlocks.filter { $0 * MemoryMap.blockSize < bytes.count }
    for block in missing {
      for index in bytes.indices.clamped(to: block * MemoryMap.blockSize..<(block + 1) * MemoryMap.blockSize) {
        bytes[index] = 0
      }
    }
    var uid = image.uid
    if let old = uid { uid = newUID(of: old) }
    return MemoryImage(
      bytes: bytes, missingBlocks: missing, uid: uid,
      patchInfo: image.patchInfo.flatMap { PatchInfo(PatchInfo.withoutSerial($0.bytes)) })
  }

  private mutating func disguise(of memory: CheckedMemory) throws(MemoryError) -> Disguise {
    let bytes = memory.image.bytes
    if case .blank = memory.kind { return Disguise(mask: [], length: bytes.count) }
    let geometry = SensorLayouts.layout(of: memory).geometry
    let length = geometry.dataBlockCount * MemoryMap.blockSize
    if geometry == LibreProMap.geometry { return Disguise(mask: Self.maskOfReader(in: bytes), length: length) }
    if let (cipher, old) = try Self.key(of: memory) {
      let new = cipher.moved(from: old, to: newUID(of: old))
      return Disguise(mask: new.applied(to: cipher.applied(to: Array(repeating: 0, count: length))), length: length)
    }
    // A checksum of an encrypted memory is right by chance once in 65 536 times.
    if RecoveredKey.mayBegin(at: 0, in: bytes.span) { throw .encryptedOrUnknown }
    return Disguise(mask: [], length: Self.hasProgram(bytes) ? bytes.count : length)
  }

  /// The cipher of an encrypted memory with the UID in its key; nil for plain bytes. Header and footer of a US 14-day
  /// sensor prove the UID, also where a damaged body or a wrong patch info leaves the rest of the key open.
  private static func key(of memory: CheckedMemory) throws(MemoryError) -> (MemoryCipher, SensorUID)? {
    do throws(MemoryError) {
      let plain = try PlainMemory(memory)
      guard plain.memory.fram.integrity.trustedRegions > 0 else { throw .encryptedOrUnknown }
      return plain.key
    } catch {
      let image = memory.image
      guard case .cannotDecrypt = error, let uid = image.uid, let patchInfo = image.patchInfo,
        let cipher = MemoryCipher(uid: uid, patchInfo: patchInfo)
      else { throw error }
      let integrity = CheckedMemory(cipher.applied(to: image)).integrity
      guard integrity.header == .ok, integrity.footer == .ok else { throw error }
      return (cipher, uid)
    }
  }

  /// True for a whole memory with the program, which is the same in all sensors (verified: twelve memories with two
  /// programs). What else follows the data is not known.
  private static func hasProgram(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == MemoryMap.fullByteCount else { return false }
    let (stored, computed) = MemoryMap.code.checksums(in: bytes.span)
    return stored == computed
  }

  /// Replaces the serial number of the reader that started a Libre Pro, and the two bytes behind it, whose meaning is not
  /// known. The header's checksum stays right, or wrong by the same bits.
  private static func maskOfReader(in bytes: [UInt8]) -> [UInt8] {
    let (header, text) = (LibreProMap.header, LibreProMap.text)
    guard bytes.count >= header.end else { return [] }
    var new = bytes
    for offset in text.offset..<header.end {
      let isText = offset < text.offset + text.count
      new[offset] = isText ? Self.placeholder(of: bytes[offset]) : 0
    }
    let checksum = header.checksums(in: bytes.span).computed ^ header.checksums(in: new.span).computed
    var mask = zip(bytes, new).prefix(header.end).map { $0 ^ $1 }
    (mask[header.start], mask[header.start + 1]) = (UInt8(checksum & 0xFF), UInt8(checksum >> 8))
    return mask
  }

  private static func placeholder(of character: UInt8) -> UInt8 {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(ascii: "A")
    case UInt8(ascii: "-"): character
    default: 0
    }
  }

  // MARK: UIDs

  /// `E0`, maker and product stay, because they tell the family; so does the mark of a simulated sensor. The byte after
  /// them is 00 on all known sensors, and the other four are drawn. A UID that was withheld says nothing.
  private mutating func newUID(of old: SensorUID) -> SensorUID {
    if old.isWithheld { return old }
    if let known = newUIDs[old] { return known }
    let simulated: UInt64 = 0xFF << 32
    let kept = old.bits & 0xFFFF_FF00_0000_0000 | (old.bits & simulated == simulated ? simulated : 0)
    while true {
      let drawn = generator.next() & 0xFFFF_FFFF
      // A file would not tell the order of a UID with E0 at both ends.
      guard drawn & 0xFF != 0xE0, let new = SensorUID(bits: kept | drawn), !new.isWithheld,
        !newUIDs.contains(where: { $0.key == new || $0.value == new }), new != old
      else { continue }
      newUIDs[old] = new
      return new
    }
  }

  // MARK: Transcripts

  /// Returns the transcript in a file with the same exchanges and failures, as the lines that libre itself writes: other
  /// UIDs and no times, comments, addresses of readers and requests that libre does not send. The bytes of a memory that
  /// `anonymous(_:)` refuses are zero.
  /// - Throws: `input`, and `dump` for another file.
  package mutating func transcript(contentsOf path: String) throws(LibreError) -> [UInt8] {
    var text = ""
    for (scan, lines) in try libre(TraceDump.scans(in: try DumpInput.reading(try InputFile(path)).file)) {
      let dump = scan.dump
      let disguise = (try? dump?.get()).flatMap { try? self.disguise(of: $0.memory) }
      if dump != nil, disguise == nil { zeroedScans += 1 }
      for line in lines {
        for line in anonymous(line, disguise ?? Disguise(mask: [], length: 0)) { text += line.text + "\n" }
      }
    }
    return Array(text.utf8)
  }

  private mutating func anonymous(_ line: TraceLine, _ disguise: Disguise) -> [TraceLine] {
    switch line {
    case .format:
      return [line, .comment("Anonymous: the UIDs are invented, and what the sensor measured is health data.")]
    case .tap, .noTap, .removed: return [line]
    case .readAt: return [.readAt(nil)]
    case .comment: return []
    case .tool(let tool):
      let version = tool.dropFirst(Program.name.count + 1)
      return tool.hasPrefix("\(Program.name) ") && version.allSatisfy("0123456789.".contains) ? [line] : []
    // A path, a port and a Bluetooth address name a computer or a person, and some readers' names do.
    case .reader(let address): return ((try? ReaderAddress(address))?.scheme).map { [.reader($0)] } ?? []
    case .name(let name): return KnownReader.named(name).map { [.name($0.title)] } ?? []
    case .dialect(let dialect): return Self.dialects.contains(dialect) ? [line] : []
    case .exchange(let frame, let answer):
      guard let request = ISO15693.Request(frame: frame) else { return [] }
      guard case .frame(let bytes) = answer else { return [line] }
      return [.exchange(request: frame, answer: .frame(anonymous(bytes, to: request, disguise)))]
    }
  }

  private static let dialects = KnownReader.all.flatMap(\.dialects) + ["simulated", "unknown"]

  private mutating func anonymous(
    _ frame: [UInt8], to request: ISO15693.Request, _ disguise: Disguise
  ) -> [UInt8] {
    switch try? ISO15693.Response(frame, to: request) {
    case .inventory(let uid), .systemInformation(let uid):
      // Both have two bytes before it.
      return frame.prefix(2) + newUID(of: uid).bytes.reversed() + frame.dropFirst(2 + uid.bytes.count)
    case .patchInfo: return frame.prefix(1) + PatchInfo.withoutSerial(Array(frame.dropFirst()))
    case .blocks(let data):
      return frame.prefix(1) + disguise.applied(to: data[...], at: (request.firstBlock ?? 0) * MemoryMap.blockSize)
    case .error: return frame
    case nil: return frame.prefix(1) + frame.dropFirst().map { _ in 0 }
    }
  }
}

/// The change of the bytes of a memory.
private struct Disguise {
  /// The bytes that are added by exclusive or, from offset 0.
  let mask: [UInt8]
  /// The number of bytes whose meaning is known; all others are zero.
  let length: Int

  func applied(to bytes: ArraySlice<UInt8>, at start: Int) -> [UInt8] {
    zip(start..., bytes).map { offset, byte in
      offset < length ? byte ^ (offset < mask.count ? mask[offset] : 0) : 0
    }
  }
}

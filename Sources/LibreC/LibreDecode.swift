// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import CLibre
import Libre1Core

extension SensorUID {
  /// Reads the UID of the options; nil if E0 is at neither end or at both.
  fileprivate init?(_ options: libre_options) {
    let bits = withUnsafeBytes(of: options.uid) { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    switch (SensorUID(bits: bits), SensorUID(bits: bits.byteSwapped)) {
    case (let uid?, nil), (nil, let uid?): self = uid
    default: return nil
    }
  }
}

extension PatchInfo {
  fileprivate init?(_ options: libre_options) {
    let size = Int(options.patch_info_size)
    let info = withUnsafeBytes(of: options.patch_info) { bytes in
      bytes.withMemoryRebound(to: UInt8.self) { PatchInfo(in: $0.span.extracting(first: size)) }
    }
    guard let info else { return nil }
    self = info
  }
}

@c @implementation
public func libre_abi_version() -> UInt32 { UInt32(LIBRE_ABI_VERSION) }

@c @implementation
public func libre_decode(
  _ memory: UnsafePointer<UInt8>!, _ size: Int, _ options: UnsafePointer<libre_options>!,
  _ reading: UnsafeMutablePointer<libre_reading>!
) -> Int32 {
  // Without a whole structure there is no place for a message.
  guard let reading, Int(reading.pointee.size) >= MemoryLayout<libre_reading>.size else {
    return LIBRE_ERROR_BAD_ARGUMENT.code
  }
  reading.clear()
  guard let memory else { return reading.fail(LIBRE_ERROR_BAD_ARGUMENT, "memory is NULL") }
  var given = libre_options()
  if let options {
    guard Int(options.pointee.size) >= MemoryLayout<libre_options>.size else {
      return reading.fail(LIBRE_ERROR_BAD_ARGUMENT, "options.size is \(Int(options.pointee.size))")
    }
    given = options.pointee
  }
  guard given.flags & ~LIBRE_SALVAGE.rawValue == 0 else {
    return reading.fail(LIBRE_ERROR_BAD_ARGUMENT, "options.flags is \(hex: given.flags)")
  }
  guard given.uid_size == 0 || given.uid_size == 8 else {
    return reading.fail(LIBRE_ERROR_BAD_ARGUMENT, "expected 8 bytes of UID, got \(Int(given.uid_size))")
  }
  let uid = given.uid_size == 0 ? nil : SensorUID(given)
  guard given.uid_size == 0 || uid != nil else {
    return reading.fail(LIBRE_ERROR_BAD_UID, "a UID begins with E0, and this one has it at neither end or at both")
  }
  let patchInfo = PatchInfo(given)
  guard given.patch_info_size == 0 || patchInfo != nil else {
    return reading.fail(
      LIBRE_ERROR_BAD_ARGUMENT, "expected 6 to 24 bytes of patch info, got \(Int(given.patch_info_size))")
  }

  let bytes = UnsafeBufferPointer(start: memory, count: min(max(size, 0), Int(LIBRE_MEMORY_SIZE))).span
  let fram = FRAM(padding: bytes, missingBlocks: BlockSet(bits: given.missing_blocks))
  do throws(MemoryError) {
    let (decoded, family, recovered) = try Libre1Decoder.decode(
      fram, of: bytes, uid: uid, patchInfo: patchInfo,
      salvaging: given.flags & LIBRE_SALVAGE.rawValue != 0)
    reading.write(decoded, family: family, uid: uid)
    if let recovered { reading.write(recovered: recovered) }
    return LIBRE_OK.code
  } catch {
    reading.write(fram.integrity)
    if let family = error.family { reading.pointee.family = libre_family(family).byte }
    return reading.fail(libre_error(error), error.text)
  }
}

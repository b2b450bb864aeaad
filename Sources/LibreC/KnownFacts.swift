// SPDX-License-Identifier: Apache-2.0
// The functions have their names in C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CGMModel
public import CLibre
import Libre1Core

/// The options of a call, checked.
private struct KnownFacts {
  var uid: SensorUID?
  var patchInfo: PatchInfo?
  var missingBlocks = BlockSet()
  var isSalvaging = false

  struct Misuse: Error {
    let error: libre_error
    let text: StaticString
  }

  init(_ options: UnsafePointer<libre_options>?) throws(Misuse) {
    guard let options else { return }
    func require(_ isValid: Bool, _ text: StaticString) throws(Misuse) {
      if !isValid { throw Misuse(error: LIBRE_ERROR_BAD_ARGUMENT, text: text) }
    }
    try require(
      options.pointee.size >= UInt32(MemoryLayout<libre_options>.size),
      "options.size is less than sizeof(libre_options)")
    let (flags, uidSize) = (options.pointee.flags, Int(options.pointee.uid_size))
    let patchInfoSize = Int(options.pointee.patch_info_size)
    try require(flags & ~LIBRE_SALVAGE.rawValue == 0, "options.flags has an unknown flag")
    try require(uidSize == 0 || uidSize == 8, "a UID has 8 bytes")
    try require(patchInfoSize == 0 || (6...24).contains(patchInfoSize), "a patch info has 6 to 24 bytes")
    isSalvaging = flags & LIBRE_SALVAGE.rawValue != 0
    missingBlocks = BlockSet(bits: options.pointee.missing_blocks)
    if uidSize > 0 {
      let bits = withUnsafeBytes(of: options.pointee.uid) { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
      switch (SensorUID(bits: bits), SensorUID(bits: bits.byteSwapped)) {
      case (let uid?, nil), (nil, let uid?): self.uid = uid
      // One sensor in 256 has E0 at its other end too.
      case (let first?, let last?) where first.isOfKnownManufacturer != last.isOfKnownManufacturer:
        uid = first.isOfKnownManufacturer ? first : last
      default:
        throw Misuse(error: LIBRE_ERROR_BAD_UID, text: "the UID has E0 at neither end, or at both and no known maker")
      }
    }
    patchInfo = withUnsafeBytes(of: options.pointee.patch_info) { bytes in
      bytes.withMemoryRebound(to: UInt8.self) { PatchInfo(in: $0.span.extracting(first: patchInfoSize)) }
    }
  }
}

extension UnsafeMutablePointer<libre_reading> {
  // Each step has its own function, so that the stack of a microcontroller holds one of them at a time.

  @inline(never) fileprivate func decode(_ bytes: Span<UInt8>, _ known: KnownFacts) -> Int32 {
    var fram = FRAM(padding: bytes, missingBlocks: known.missingBlocks)
    write(fram.integrity)
    do throws(MemoryError) {
      let decryption = try Decryption(
        decodable: &fram, of: bytes, uid: known.uid, patchInfo: known.patchInfo, salvaging: known.isSalvaging)
      try decode(fram, known, decryption.recovered)
      return LIBRE_OK.code
    } catch {
      return fail(error)
    }
  }

  @inline(never) private func decode(
    _ fram: borrowing FRAM, _ known: KnownFacts, _ recovered: RecoveredKey?
  ) throws(MemoryError) {
    let memory = try fram.validated(salvaging: known.isSalvaging)
    let timeline = memory.timeline
    let family = SensorFamily(
      ofPlain: recovered?.family ?? memory.footerFamily, uid: known.uid, patchInfo: known.patchInfo)
    write(memory, timeline, family: family, uid: known.uid)
    writeTrend(of: memory, timeline)
    writeHistory(of: memory, timeline)
    if let recovered { write(recovered: recovered.uid) }
  }
}

@c @implementation
public func libre_abi_version() -> UInt32 { UInt32(LIBRE_ABI_VERSION) }

@c @implementation
public func libre_decode(
  _ memory: UnsafePointer<UInt8>?, _ size: Int, _ options: UnsafePointer<libre_options>?,
  _ reading: UnsafeMutablePointer<libre_reading>?
) -> Int32 {
  // A message has its place in a whole structure only.
  guard let reading, reading.pointee.size >= UInt32(MemoryLayout<libre_reading>.size) else {
    return LIBRE_ERROR_BAD_ARGUMENT.code
  }
  reading.clear()
  guard let memory else { return reading.fail(LIBRE_ERROR_BAD_ARGUMENT, "memory is NULL") }
  do throws(KnownFacts.Misuse) {
    let known = try KnownFacts(options)
    let count = min(max(size, 0), Int(LIBRE_MEMORY_SIZE))
    return reading.decode(UnsafeBufferPointer(start: memory, count: count).span, known)
  } catch {
    return reading.fail(error.error, FixedText(stringLiteral: error.text))
  }
}

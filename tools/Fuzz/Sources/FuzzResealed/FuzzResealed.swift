// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Oracle

/// Arbitrary bytes with right checksums: a plain fuzzer never gets past three of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzResealed(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard count >= MemoryMap.byteCount else { return 0 }
  var bytes = Array(UnsafeBufferPointer(start: data, count: MemoryMap.byteCount))
  for region in MemoryMap.regions {
    let checksum = CRC16.checksum(bytes.span.extracting(region.covered))
    bytes[region.start] = UInt8(truncatingIfNeeded: checksum)
    bytes[region.start + 1] = UInt8(truncatingIfNeeded: checksum >> 8)
  }
  guard let fram = try? FRAM(bytes.span) else { preconditionFailure("344 bytes are a memory") }
  let integrity = fram.integrity
  precondition(integrity.header == .ok && integrity.body == .ok && integrity.footer == .ok, "sealed just now")
  for entry in Datasheet.entries { _ = entry.value(in: fram) }
  do {
    check(try Libre1Decoder.decode(bytes.span))
  } catch .ringIndexOutOfRange {
    return 0
  } catch {
    preconditionFailure("a sealed memory can be refused for its ring indices only, not for \(error)")
  }
  return 0
}

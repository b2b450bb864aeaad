// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import Oracle

/// Arbitrary bytes: the decoder refuses them or decodes them, and never traps.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecoder(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  if let decoded = try? Libre1Decoder.decode(bytes.span) { check(decoded) }
  if let memory = try? FRAM(bytes.span).validated(salvaging: true) { check(Libre1Decoder.decode(memory)) }
  return 0
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats

/// Arbitrary files: every format refuses them with a reason or reads them; what hex reads, it can write and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDump(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = Array(UnsafeBufferPointer(start: data, count: count))
  _ = try? DumpDetector(formats: [HexDump(), RawDump()]).parse(file)
  if let image = try? HexDump().parse(file), !image.bytes.isEmpty {
    let again = try? HexDump().parse(Array(HexDump.text(of: image, notes: []).utf8))
    precondition(again == image, "written and read again it is the same")
  }
  return 0
}

// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import Oracle

/// Arbitrary files: every format refuses them with a reason or reads memories, which every writer then refuses or writes so
/// that they are read again the same; and detection names one of those that read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDump(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  if Gzip.isGzip(bytes) { _ = try? Gzip.expanded(bytes, limit: 1 << 20) }
  let file = DumpFile(bytes)
  var readers: Set<String> = []
  for format in dumpFormats {
    guard let dumps = try? format.dumps(in: file) else { continue }
    readers.insert(format.name)
    for case .success(let dump) in dumps.prefix(4) { check(dump.image) }
  }
  if let found = try? DumpDetector(formats: dumpFormats).detect(file) {
    precondition(readers.contains(found.format), "detection names a format that reads the file")
    for choice in [DumpChoice.only, .number(1), .number(2)] { _ = try? choice.dump(in: found.dumps) }
  }
  return 0
}

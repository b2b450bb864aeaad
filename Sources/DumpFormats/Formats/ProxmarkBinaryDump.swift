// SPDX-License-Identifier: Apache-2.0

/// The `.bin` file of a Proxmark3 client: a C structure that contains the UID and the memory (`ProxmarkTag`).
struct ProxmarkBinaryDump: DumpFormat {
  let name = "proxmark-bin"
  let summary = "the .bin file of a Proxmark3's hf 15 dump: 2235 bytes (2139 of old clients, 2332 of new ones)"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    guard !file.bytes.isEmpty else { throw .empty }
    guard file.text == nil else { throw .isText }
    return DumpSequence(try ProxmarkTag(file.bytes).dump())
  }
}

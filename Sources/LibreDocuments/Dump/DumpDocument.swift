// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// `libre.dump/1`, which DumpFormats writes.
enum DumpDocument {
  static let document = SchemaDocument(
    "dump", summary: "a sensor's memory, not decoded (libre convert --to json)",
    description: "A sensor's memory as it was read, not decoded. libre.reading/1 has the same members.",
    [
      .init("read_at", .time),
      .init("sensor", .object([.init("uid", .uid.orNull), .init("patch_info", .patchInfo.orNull)])),
      .init("memory", memory.schema),
    ])

  /// The member that dumps and readings share, so that a reading can be decoded again.
  static let memory: Fields<MemoryImage> = [
    Field(writing: "bytes", .string.matching("^([0-9A-F]{2}){0,8800}$")) { $1.hex($0.bytes) },
    Field("missing_blocks", .array(of: .integer.from(0, to: 1029))) { $0.missingBlocks },
  ]
}

// SPDX-License-Identifier: Apache-2.0
package import LibreKit
import TextFormats

/// `libre.memory/1`: the memory map of one dump.
package enum MemoryMapJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "memory", summary: "the memory map of one dump, byte by byte (libre inspect --json)",
    description:
      "The memory map of one dump, byte by byte, damaged or not. If no checksum is valid, the meanings may be wrong.",
    fields.members)

  package static let fields: Fields<MemoryMapListing> = [
    Field("source", object: source) { $0 },
    Field("byte_count", .count) { $0.byteCount },
    Field("layout", .one(of: "libre1", "libre_pro"), "Null if no checksum is valid in any layout.") { $0.layout },
    Field("decrypted", .boolean, "True if the bytes below were decrypted.") { $0.isDecrypted },
    Field("remark", .string, "The reason why the meanings may be wrong.") {
      $0.remark ?? MemoryMapText.warning(about: $0.kind)
    },
    Field("regions", array: region) { $0.regions + [$0.code].compactMap(\.self) },
    Field("facts", "Facts about a layout without a datasheet.", array: fact) { $0.facts },
    Field("fields", "All bytes of a memory, in order.", array: field) { $0.fields },
    Field("trend", array: record) { $0.records(of: .trend) },
    Field("history", array: record) { $0.records(of: .history) },
  ]

  private static let source: Fields<MemoryMapListing> = [
    Field("path") { FileNameText.shown($0.path) },
    Field("format") { $0.format },
  ]

  private static let region: Fields<MemoryMapListing.Region> = [
    Field("name", .one(of: "header", "body", "footer", "code")) { $0.region.name },
    Field("offset", .count) { $0.region.start },
    Field("size", .count) { $0.region.end - $0.region.start },
    Field("integrity", .one(of: "ok", "torn", "bad", "absent")) { $0.verdict.name },
    Field("stored_crc", crc) { $0.checksums.map { HexText.string(of: $0.stored) } },
    Field("computed_crc", crc) { $0.checksums.map { HexText.string(of: $0.computed) } },
    Field("missing_blocks") { $0.missingBlocks },
  ]

  private static let crc = JSONSchema.string.matching("^[0-9A-F]{4}$")

  private static let fact: Fields<[String]> = [Field("name") { $0[0] }, Field("value") { $0[1] }]

  private static let field: Fields<MemoryMapListing.Field> = [
    Field("offset", .count) { $0.offset },
    Field("size", .ordinal) { $0.bytes.count },
    Field("bytes", .string.matching("^([0-9A-F]{2}|--)+$"), "-- for each byte that the dump lacks.") { field in
      field.bytes.map { $0.map { HexText.string(of: $0) } ?? "--" }.joined()
    },
    Field("name") { $0.name },
    Field("value", .string, "The meaning of the bytes; null if they have none, or the dump lacks them.") {
      $0.value.isEmpty ? nil : $0.value
    },
    Field("confidence", .one(of: "read", "verified", "derived", "unknown"), "The source of the meaning.") {
      $0.confidence?.rawValue
    },
  ]

  fileprivate typealias Record = (offset: Int, slot: Int, minute: Int?, record: MeasurementRecord)

  private static let record: Fields<Record> = [
    Field("slot", .count, "The position in the ring.") { $0.slot },
    Field("offset", .count) { $0.offset },
    Field("minute", .ordinal, "Null if the memory does not contain it.") { $0.minute },
    Field("never_written") { $0.record.isNeverWritten },
    Field("raw", object: raw) { $0.record },
    Field("errors", .array(of: .string), "Names of the error bits; empty without has_error.") { errors(of: $0.record) },
  ]

  private static func errors(of record: MeasurementRecord) -> [String] {
    record.hasError ? MeasurementError(rawValue: UInt16(record.errorField & 0x1FF)).names : []
  }

  private static let raw: Fields<MeasurementRecord> = [
    Field("glucose", .count) { $0.glucose },
    Field("temperature", .count) { $0.temperature },
    Field("temperature_adjustment") { $0.temperatureAdjustment },
    Field("has_error") { $0.hasError },
    Field("error_field", .count) { $0.errorField },
  ]
}

extension MemoryMapListing {
  fileprivate var layout: String? {
    switch kind {
    case .libre1: SensorFamily.libre1.rawValue
    case .other(let geometry): geometry.family.rawValue
    case .blank, .unrecognised: nil
    }
  }

  fileprivate func records(of ring: SampleRing) -> [MemoryMapJSON.Record] {
    fields.compactMap { field in
      guard let record = field.record, record.slot.ring == ring else { return nil }
      return (field.offset, record.slot.number, record.minute, record.record)
    }
  }
}

extension MemoryMapListing.Region {
  fileprivate var missingBlocks: [Int] {
    if case .absent(let blocks) = verdict { blocks.members } else { [] }
  }
}

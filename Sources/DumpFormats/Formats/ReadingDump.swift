// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// Libre's own JSON: a `libre.dump/1`, or the memory in a `libre.reading/1` (DumpFormats/Formats, "libre JSON").
/// Objects of other schemas (`libre.error/1` between readings) are ignored.
package struct ReadingDump: DumpWriter {
  package init() {}

  package let name = "json"
  package let fileExtension: String? = "json"
  package let summary =
    "libre's own JSON: libre.dump/1, or the memory in libre.reading/1; several in an array or one a line"
  package let holds = Set(DumpFact.allCases)

  /// An object that cannot be read gives `badField` for a member, or `badJSON`, in its place.
  package func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let text = try file.lines().bytes
    // Searched without the slash, which some programs write as `\/`.
    guard text.contains(text: "\"libre.dump") || text.contains(text: "\"libre.reading") else {
      throw .notThisFormat(lacks: "a schema libre.dump/1 or libre.reading/1")
    }
    return DumpSequence(valuesOf: text, having: ["\"schema\""]) { value throws(DumpError) in
      let document = try Document(Array(value.text))
      guard let schema = document.schema, Self.schemas.contains(schema) else { return [] }
      return [.success(Dump(image: try document.image(), line: value.line))]
    }
  }

  package func file(of image: MemoryImage) throws(DumpError) -> [UInt8] {
    try DumpLength.check(image.bytes)
    let text = """
      {
        "schema": "libre.dump/1",
        "read_at": \(Self.json(image.readAt?.rfc3339)),
        "sensor": {
          "uid": \(Self.json(image.uid?.description)),
          "patch_info": \(Self.json(image.patchInfo?.description))
        },
        "memory": {
          "bytes": "\(HexText.string(of: image.bytes))",
          "missing_blocks": [\(image.missingBlocks.map(String.init).joined(separator: ", "))]
        }
      }

      """
    return Array(text.utf8)
  }

  private static let schemas = ["libre.dump/1", "libre.reading/1"]

  /// A JSON string of digits, letters and colons, which need no escapes.
  private static func json(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
}

private struct Document {
  var schema: String?
  private var readAt: String?
  private var uid: String?
  private var patchInfo: String?
  private var hasMemory = false
  private var bytes: String?
  private var missingBlocks: [Int] = []

  private static let names = JSONNames(["schema", "read_at", "sensor", "memory"])
  private static let sensorNames = JSONNames(["uid", "patch_info"])
  private static let memoryNames = JSONNames(["bytes", "missing_blocks"])

  /// Reads a `libre.dump/1` or a `libre.reading/1`; of other objects the schema.
  init(_ text: [UInt8]) throws(DumpError) {
    var json = JSONCursor(text)
    let isRead = json.object(of: Self.names) { json, name in
      switch name {
      case 0: json.string(into: &schema)
      case 1: json.string(into: &readAt)
      case 2:
        json.object(of: Self.sensorNames) { json, name in
          name == 0 ? json.string(into: &uid) : json.string(into: &patchInfo)
        }
      default: readMemory(&json)
      }
    }
    guard isRead, json.isAtEnd else { throw .badJSON("The given data was not valid JSON.") }
    if let wrong = json.wrongMember { throw .badField(wrong, value: nil) }
  }

  private mutating func readMemory(_ json: inout JSONCursor) -> Bool {
    hasMemory = true
    return json.object(of: Self.memoryNames) { json, name in
      if name == 0 { return json.string(into: &bytes) }
      return json.array { json in
        guard let block = json.integer() else { return false }
        missingBlocks.append(block)
        return true
      }
    }
  }

  func image() throws(DumpError) -> MemoryImage {
    guard hasMemory else { throw .badField("memory", value: nil) }
    guard let memory = bytes.flatMap(HexText.bytes(of:)) else {
      throw .badField("memory.bytes", value: bytes.map(SafeText.excerpt))
    }
    try DumpLength.check(memory)
    if let block = missingBlocks.first(where: { !(0..<DumpLength.blockLimit).contains($0) }) {
      throw .badField("memory.missing_blocks", value: "\(block)")
    }
    return MemoryImage(
      bytes: memory, missingBlocks: Set(missingBlocks).sorted(),
      uid: try Self.value(uid, "sensor.uid") { try? SensorUID(printed: $0) },
      patchInfo: try Self.value(patchInfo, "sensor.patch_info") {
        HexText.bytes(of: $0).flatMap(PatchInfo.init)
      },
      readAt: try Self.value(readAt, "read_at") { Instant(rfc3339: $0) })
  }

  private static func value<Value>(
    _ text: String?, _ field: String, _ parse: (String) -> Value?
  ) throws(DumpError) -> Value? {
    guard let text else { return nil }
    guard let value = parse(text) else { throw .badField(field, value: SafeText.excerpt(text)) }
    return value
  }
}

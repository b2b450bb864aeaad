// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// Libre's own JSON: a `libre.dump/1`, or the memory in a `libre.reading/1`; one object, an array of them, or one a
/// line.
///
///     {
///       "schema": "libre.dump/1",
///       "read_at": "2024-05-02T10:15:00Z",
///       "sensor": {"uid": "E007A0000025905E", "patch_info": "DF0000010203"},
///       "memory": {"bytes": "3ACF10…", "missing_blocks": [3, 12]}
///     }
///
/// `read_at`, `uid` and `patch_info` may be null. Further members of a reading are ignored, as are objects of other
/// schemas (`libre.error/1` between readings).
package struct ReadingDump: DumpWriter {
  package init() {}

  package let name = "json"
  package let fileExtension: String? = "json"
  package let summary =
    "libre's own JSON: libre.dump/1, or the memory in libre.reading/1; several in an array or one a line"
  package let holds = Set(DumpFact.allCases)

  /// Returns the memories. An object that cannot be read gives `badField` for a member (`memory`, which an older
  /// version left out), or `badJSON`, in its place.
  package func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let text = try file.lines().bytes
    // Searched without the slash, which some programs write as `\/`.
    guard text.contains(text: "\"libre.dump") || text.contains(text: "\"libre.reading") else {
      throw .notThisFormat(lacks: "a schema libre.dump/1 or libre.reading/1")
    }
    return DumpSequence(valuesOf: text, having: ["\"schema\""]) { value throws(DumpError) in
      let plain = Document(plain: value.text)
      let document = if let plain { plain } else { try EncodedText.json(Document.self, from: value.text) }
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

  /// Returns a JSON string of digits, letters and colons, which need no escapes.
  private static func json(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
}

private struct Document: Decodable {
  let schema: String?
  let readAt: String?
  let sensor: Sensor?
  let memory: Memory?

  struct Sensor: Decodable {
    let uid: String?
    let patchInfo: String?

    private enum CodingKeys: String, CodingKey {
      case uid
      case patchInfo = "patch_info"
    }
  }

  struct Memory: Decodable {
    let bytes: String?
    let missingBlocks: [Int]?

    private enum CodingKeys: String, CodingKey {
      case bytes
      case missingBlocks = "missing_blocks"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case schema
    case readAt = "read_at"
    case sensor
    case memory
  }

  private init(schema: String?, readAt: String?, sensor: Sensor?, memory: Memory?) {
    self.schema = schema
    self.readAt = readAt
    self.sensor = sensor
    self.memory = memory
  }

  /// The document in a text with the members of `libre.dump/1` only; nil for any other text.
  init?(plain text: ArraySlice<UInt8>) {
    var (schema, readAt, uid, patchInfo, bytes) = (String?.none, String?.none, String?.none, String?.none, String?.none)
    var missingBlocks: [Int]?
    var (sensor, memory) = (Sensor?.none, Memory?.none)
    var json = PlainJSON(Array(text))
    let isRead = json.object(of: ["schema", "read_at", "sensor", "memory"]) { json, name in
      switch name {
      case 0: return json.string(into: &schema)
      case 1: return json.string(into: &readAt)
      case 2:
        let isRead = json.object(of: ["uid", "patch_info"]) { json, name in
          name == 0 ? json.string(into: &uid) : json.string(into: &patchInfo)
        }
        sensor = Sensor(uid: uid, patchInfo: patchInfo)
        return isRead
      default:
        let isRead = json.object(of: ["bytes", "missing_blocks"]) { json, name in
          if name == 0 { return json.string(into: &bytes) }
          missingBlocks = json.integers()
          return missingBlocks != nil
        }
        memory = Memory(bytes: bytes, missingBlocks: missingBlocks)
        return isRead
      }
    }
    guard isRead, json.isAtEnd else { return nil }
    self.init(schema: schema, readAt: readAt, sensor: sensor, memory: memory)
  }

  func image() throws(DumpError) -> MemoryImage {
    guard let memory else { throw .badField("memory", value: nil) }
    guard let bytes = memory.bytes.flatMap(HexText.bytes(of:)) else {
      throw .badField("memory.bytes", value: memory.bytes.map(SafeText.excerpt))
    }
    try DumpLength.check(bytes)
    let missing = memory.missingBlocks ?? []
    if let block = missing.first(where: { !(0..<DumpLength.blockLimit).contains($0) }) {
      throw .badField("memory.missing_blocks", value: "\(block)")
    }
    return MemoryImage(
      bytes: bytes, missingBlocks: Set(missing).sorted(),
      uid: try Self.value(sensor?.uid, "sensor.uid") { try? SensorUID(printed: $0) },
      patchInfo: try Self.value(sensor?.patchInfo, "sensor.patch_info") {
        HexText.bytes(of: $0).flatMap(PatchInfo.init)
      },
      readAt: try Self.value(readAt, "read_at") { Instant(rfc3339: $0) })
  }

  /// Returns the value; nil for null.
  private static func value<Value>(
    _ text: String?, _ field: String, _ parse: (String) -> Value?
  ) throws(DumpError) -> Value? {
    guard let text else { return nil }
    guard let value = parse(text) else { throw .badField(field, value: SafeText.excerpt(text)) }
    return value
  }
}

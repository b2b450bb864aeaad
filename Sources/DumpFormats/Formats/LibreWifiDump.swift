// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The responses of the Wi-Fi readers for xDrip (DumpFormats/Formats, "xDrip Wi-Fi"): a header with entries, or entries
/// alone. `CaptureDateTime` is milliseconds since 1970.
struct LibreWifiDump: DumpFormat, JSONDumpFormat {
  let name = "librewifi"
  let summary = "xDrip's LibreWifi JSON: libre_wifi_data with BlockBytes"
  let signatures = ["\"libre_wifi_data\"", "\"BlockBytes\""]
  let members: Set = ["libre_wifi_data", "BlockBytes", "CaptureDateTime", "patchUid", "patchInfo"]

  /// An entry that cannot be read gives `badField` in its place, a reply `badJSON`.
  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let text = try file.lines().bytes
    guard signatures.contains(where: text.contains(text:)) else {
      throw .notThisFormat(lacks: "a member libre_wifi_data or BlockBytes")
    }
    return DumpSequence(valuesOf: text, having: signatures) { value throws(DumpError) in
      let reply = try EncodedText.json(Reply.self, from: value.text)
      return reply.entries.enumerated().map { index, entry in
        entry.dump(path: reply.isHeader ? "libre_wifi_data[\(index)]." : "", line: reply.isHeader ? nil : value.line)
      }
    }
  }
}

private struct Reply: Decodable {
  let isHeader: Bool
  let entries: [Entry]

  private enum Key: String, CodingKey {
    case entries = "libre_wifi_data"
  }

  init(from decoder: any Decoder) throws {
    let header = try decoder.container(keyedBy: Key.self)
    isHeader = header.contains(.entries)
    entries = isHeader ? try header.decode([Entry].self, forKey: .entries) : [try Entry(from: decoder)]
  }
}

private struct Entry: Decodable {
  let blockBytes: String?
  let captureTime: Int64?
  let patchUID: String?
  let patchInfo: String?

  private enum CodingKeys: String, CodingKey {
    case blockBytes = "BlockBytes"
    case captureTime = "CaptureDateTime"
    case patchUID = "patchUid"
    case patchInfo
  }

  func dump(path: String, line: Int?) -> DumpSequence.Element {
    do throws(DumpError) {
      guard let blockBytes, let bytes = Base64Text.bytes(of: blockBytes.utf8) else {
        throw .badField(path + "BlockBytes", value: blockBytes.map(SafeText.excerpt))
      }
      try DumpLength.check(bytes)
      var image = MemoryImage(bytes: bytes)
      if let patchInfo, !patchInfo.isEmpty {
        image.patchInfo = Base64Text.bytes(of: patchInfo.utf8).flatMap(PatchInfo.init)
        if image.patchInfo == nil { throw .badField(path + "patchInfo", value: SafeText.excerpt(patchInfo)) }
      }
      image.readAt = captureTime.flatMap(AppFacts.readAt)
      let uid = patchUID.flatMap { $0.isEmpty ? nil : Base64Text.bytes(of: $0.utf8) ?? [] }
      return .success(
        try AppFacts.dump(
          of: image, uid: uid, label: image.readAt?.rfc3339, line: line,
          invalid: .badField(path + "patchUid", value: patchUID.map(SafeText.excerpt))))
    } catch {
      return .failure(error)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

struct LibreWifiDumpTests {
  private let memory = TextFixture.memory
  private let base64 = TextFixture.base64(TextFixture.memory)

  private func entry(_ members: String...) -> String { "{" + members.joined(separator: ",") + "}" }
  private var bytes: String { "\"BlockBytes\":\"\(base64)\"" }
  private func reply(_ entries: String...) -> String {
    "{\"reply_version\":2,\"last_reading\":\"\",\"libre_wifi_data\":[\(entries.joined(separator: ","))]}"
  }

  @Test("reads several entries in order and labels each with its time")
  func several() throws {
    let text = reply(
      entry(bytes, "\"CaptureDateTime\":1714645080000"), entry(bytes, "\"CaptureDateTime\":1714644180999"), entry(bytes)
    )
    let times = [1_714_645_080, 1_714_644_180].map { Instant(secondsSince1970: $0) }
    #expect(
      try LibreWifiDump().results(text) == [
        .success(Dump(image: MemoryImage(bytes: memory, readAt: times[0]), label: "2024-05-02T10:18:00Z")),
        .success(Dump(image: MemoryImage(bytes: memory, readAt: times[1]), label: "2024-05-02T10:03:00Z")),
        .success(Dump(image: MemoryImage(bytes: memory))),
      ])
  }

  @Test("reads entries without a header, in an array and one on each line")
  func withoutHeader() throws {
    let first = entry(bytes, "\"patchUid\":\"\(TextFixture.uidInBase64)\"", "\"SensorId\":\"x,]}\\\"\"")
    let second = entry(bytes, "\"patchInfo\":\"3wAAAQEA\"")
    for text in ["[\(first),\n\(second)]", "\(first)\n\(second)\n"] {
      #expect(
        try LibreWifiDump().results(text) == [
          .success(Dump(image: MemoryImage(bytes: memory, uid: TextFixture.uid), line: 1)),
          .success(Dump(image: MemoryImage(bytes: memory, patchInfo: PatchInfo(TextFixture.patchInfo)), line: 2)),
        ])
    }
  }

  @Test("an unreadable entry is a failure in its position")
  func failures() throws {
    let rows: [(entry: String, field: String, value: String?)] = [
      (entry("\"CaptureDateTime\":5"), "BlockBytes", nil), (entry("\"BlockBytes\":\"?\""), "BlockBytes", "?"),
      (entry("\"BlockBytes\":\"\""), "BlockBytes", ""), (entry(bytes, "\"patchUid\":\"AAAA\""), "patchUid", "AAAA"),
      (entry(bytes, "\"patchInfo\":\"AAAA\""), "patchInfo", "AAAA"),
    ]
    for (entry, field, value) in rows {
      #expect(
        try LibreWifiDump().results(reply(self.entry(bytes), entry, self.entry(bytes))) == [
          .success(Dump(image: MemoryImage(bytes: memory))),
          .failure(.badField("libre_wifi_data[1].\(field)", value: value)),
          .success(Dump(image: MemoryImage(bytes: memory))),
        ])
    }
    #expect(
      try LibreWifiDump().results(reply(entry(bytes, "\"patchUid\":5"))) == [
        .failure(.badField("libre_wifi_data[0].patchUid", value: nil))
      ])
  }

  @Test("a reply without entries has no memory, and one that is cut off is invalid JSON")
  func empty() throws {
    #expect(try LibreWifiDump().results(reply()).isEmpty)
    guard case .badJSON = LibreWifiDump().refusal(of: String(reply(entry(bytes)).dropLast())) else {
      return #expect(Bool(false))
    }
  }
}

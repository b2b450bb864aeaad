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
    let results = try LibreWifiDump().results(
      reply(
        entry("\"CaptureDateTime\":5"), entry("\"BlockBytes\":\"?\""), entry("\"BlockBytes\":\"\""),
        entry(bytes, "\"patchUid\":\"AAAA\""), entry(bytes, "\"patchInfo\":\"AAAA\""), entry(bytes)))
    #expect(
      results == [
        .failure(.badField("libre_wifi_data[0].BlockBytes", value: nil)),
        .failure(.badField("libre_wifi_data[1].BlockBytes", value: "?")),
        .failure(.badField("libre_wifi_data[2].BlockBytes", value: "")),
        .failure(.badField("libre_wifi_data[3].patchUid", value: "AAAA")),
        .failure(.badField("libre_wifi_data[4].patchInfo", value: "AAAA")),
        .success(Dump(image: MemoryImage(bytes: memory))),
      ])
    #expect(
      try LibreWifiDump().results(reply(entry(bytes, "\"patchUid\":5"))) == [
        .failure(.badField("libre_wifi_data[0].patchUid", value: nil))
      ])
  }

  @Test("a reply without entries has no memory, and one that is cut off is invalid JSON")
  func empty() throws {
    #expect(try LibreWifiDump().results(reply()).isEmpty)
    let cut = try LibreWifiDump().results(String(reply(entry(bytes)).dropLast()))
    #expect(cut.count == 1)
    #expect { try cut[0].get() } throws: { error in
      if case DumpError.badJSON = error { true } else { false }
    }
  }
}

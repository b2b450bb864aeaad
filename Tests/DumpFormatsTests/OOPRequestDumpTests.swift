// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct OOPRequestDumpTests {
  private let memory = TextFixture.memory
  private let hex = TextFixture.hex(TextFixture.memory, separator: "")
  private let base64 = TextFixture.base64(TextFixture.memory)

  private func escaped(_ text: String) -> String {
    text.map { ["+": "%2B", "/": "%2f", "=": "%3D"][$0] ?? String($0) }.joined()
  }

  @Test("reads the LibreOOPWeb form, escaped or not")
  func form() throws {
    for contents in [escaped(base64), base64] {
      let image = try OOPRequestDump().onlyImage(
        in:
          "accesstoken=secret&b64contents=\(contents)&oldState=&sensorStartTimestamp=236458825"
          + "&sensorScanTimestamp=236734356&currentUtcOffset=3600000")
      #expect(image == MemoryImage(bytes: memory))
    }
    #expect(try OOPRequestDump().onlyImage(in: "b64contents=\(escaped(base64))").bytes == memory)
  }

  @Test("reads a query with UID, patch info and time, in any order and with digits in any case")
  func query() throws {
    let image = try OOPRequestDump().onlyImage(
      in: "appName=diabox&timestamp=1714645080999&patchInfo=df0000010100&patchUid=E007A00001234567&oopType=OOP1"
        + "&content=\(hex.lowercased())&session=1")
    #expect(image == TextFixture.oopRequest.image)
    // A value that is not a time since 2014 is none.
    for time in ["0", "1714645080", "-1714645080000", "1388534399999", "99999999999999999999", "", "now", "1e12"] {
      #expect(try OOPRequestDump().onlyImage(in: "timestamp=\(time)&content=\(hex)").readAt == nil)
    }
    // A UID that is empty or whose byte order is ambiguous is ignored.
    for uid in ["E0070000000000E0", ""] {
      #expect(
        try OOPRequestDump().onlyImage(in: "patchUid=\(uid)&patchInfo=&content=\(hex)") == MemoryImage(bytes: memory))
    }
  }

  @Test("finds the request in a URL, a log line, a command and JSON")
  func surroundings() throws {
    let query = "content=\(hex)&patchUid=6745230100A007E0"
    let lines = [
      "https://www.glucose.space/calibrateSensor?\(query)", "2024-05-02 10:15:00.123 POST /libreoop2?\(query) HTTP/1.1",
      "curl -d '\(query)' https://example.org", "curl \"https://example.org/?a=b&\(query)\"", "request body:\(query)",
      "{\"body\":\"\(query)\"}", "[10:15] (\(query))", "<a href=\"/?x&\(query)#top\">",
    ]
    for line in lines {
      #expect(
        try OOPRequestDump().onlyImage(in: line) == MemoryImage(bytes: memory, uid: TextFixture.uid),
        "\(line.prefix(60))")
    }
  }

  @Test("gives one dump for each request, with its line, and a failure for each unreadable request")
  func several() throws {
    let results = try OOPRequestDump().results(
      """
      starting
      a=1&content=\(hex)&timestamp=1714645080000

      a=1&content=0G&timestamp=1714645080000
      b64contents=\(escaped(base64))
      """)
    #expect(
      results == [
        .success(Dump(image: MemoryImage(bytes: memory, readAt: TextFixture.scanned), line: 2)),
        .failure(.badLine(line: 4, expected: "hex digits in content=")),
        .success(Dump(image: MemoryImage(bytes: memory), line: 5)),
      ])
  }

  @Test("reports the line and the parameter that cannot be read, without its value or the access token")
  func failures() throws {
    let failures = [
      ("b64contents=%3&accesstoken=secret", "base64 in b64contents="),
      ("b64contents=&accesstoken=secret", "base64 in b64contents="),
      ("b64contents=AAAA*AAA&accesstoken=secret", "base64 in b64contents="),
      ("b64contents=\(String(repeating: "A", count: 70_000))", "base64 in b64contents="),
      ("content=123&accesstoken=secret", "hex digits in content="),
      ("content=\(hex)&patchUid=0102030405060708", "a UID in patchUid="),
      ("content=\(hex)&patchUid=E007", "a UID in patchUid="),
      ("content=\(hex)&patchInfo=DF00", "6 to 24 bytes in patchInfo="),
    ]
    for (line, expected) in failures {
      #expect(try OOPRequestDump().results("\n" + line) == [.failure(.badLine(line: 2, expected: expected))])
    }
    #expect(try OOPRequestDump().results("a=1&content=\(hex)00") == [.failure(.wrongLength(found: 345))])
    let whole = try OOPRequestDump().results("accesstoken=secret-4711&b64contents=\(escaped(base64))")
    #expect(!"\(whole)".contains("secret-4711"))
  }
}

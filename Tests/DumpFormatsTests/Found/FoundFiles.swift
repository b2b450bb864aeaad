// SPDX-License-Identifier: Apache-2.0

extension FoundContainer {
  /// Numbered blocks, tables and logs.
  static let listings = [
    Self("dashes between bytes") { rows($0, 8) { "[\(digits($0, radix: 10))] \(hex($1, "-"))" } },
    Self("a bare number before the bytes") { rows($0, 8) { "\(digits($0)) \(hex($1))" } },
    Self("blocks in any order") { memory in
      let lines = rows(memory, 8) { "blk \($0) = \(hex($1, ""))" }.split(separator: "\n")
      return lines.indices.map { lines[$0 * 17 % lines.count] + "\n" }.joined()
    },
    Self("offsets in any order") { memory in
      let lines = rows(memory, 8) { "addr \(digits($0 * 8, 4)) | \(hex($1)) |" }.split(separator: "\n")
      return lines.indices.map { lines[$0 * 12 % lines.count] + "\n" }.joined()
    },
    Self("some blocks twice") { memory in
      let lines = rows(memory, 8) { "\($0);\(hex($1, ""));ok" }.split(separator: "\n")
      return (lines[9..<12] + lines + lines[3..<9]).map { $0 + "\n" }.joined()
    },
    Self("pages of four bytes") { rows($0, 4) { "Page \($0): \(hex($1))" } },
    Self("three blocks a line") { rows($0, 24) { "read \($0 * 3)..\($0 * 3 + 2) -> \(hex($1, ""))" } },
    Self("bytes without zeros in front") {
      rows($0, 8) { "block \($0): \($1.map { digits(Int($0), 1) }.joined(separator: " "))" }
    },
    Self("Markdown table") {
      "| n | data |\n|---|---|\n" + rows($0, 8) { "| \($0) | `\(hex($1))` | \(ascii($1).replacing("|", with: ".")) |" }
    },
    Self("Markdown fence") { "# Help\n\n```\n" + rows($0, 16) { hex($1) } + "```\nThanks\n" },
    Self("CSV of blocks") {
      "time,n,data\n" + rows($0, 8) { "2024-05-02T10:15:\(digits($0, radix: 10)),\($0),\(hex($1, ""))" }
    },
    Self("CSV of bytes") { rows($0, 8) { "\($0)," + hex($1, ",") } },
    Self("CSV of decimals") { rows($0, 8) { "\($0)," + decimal($1, ",") } },
    Self("JSON, a block a line") { rows($0, 8) { "{\"block\": \($0), \"data\": \"\(hex($1, ""))\"}" } },
    Self("JSON, all blocks in one line") {
      "[" + rows($0, 8) { "{\"i\": \($0), \"d\": \"\(hex($1))\"}," }.replacing("\n", with: " ") + "]"
    },
    Self("XML") { "<scan><data>\(hex($0, ""))</data></scan>" },
    Self("HTML table") { rows($0, 8) { "<tr><td>\($0)</td>" + hex($1, "", mark: "<td>") + "</tr>" } },
    Self("CSV of quoted cells") { rows($0, 8) { "\"\($0)\",\"\(hex($1))\"" } },
    Self("HTML table of blocks") { rows($0, 8) { "<tr><td>\(digits($0))</td><td>\(hex($1))</td></tr>" } },
    Self("text of Word in runs") {
      rows($0, 8) {
        "<w:p w:rsidR=\"00AB12\($0 + 10)\"><w:r><w:t>\(hex($1[..<4]))</w:t></w:r>"
          + "<w:r w:rsidR=\"0012CD\($0 + 10)\"><w:t> \(hex($1[4...]))</w:t></w:r></w:p>"
      }
    },
    Self("cells of a spreadsheet") {
      rows($0, 8) { number, row in
        "<row r=\"\(number + 1)\">" + row.enumerated().map { "<c r=\"\(number)\($0)\"><v>\($1)</v></c>" }.joined()
          + "</row>"
      }
    },
    Self("JSON, a number a line between others") {
      rows($0, 8) {
        "{\n  \"block\": \($0),\n  \"data\": [\n" + $1.map { "    \($0)" }.joined(separator: ",\n") + "\n  ]\n},"
      }
    },
    Self("log of signed numbers") {
      rows($0, 8) { "05-02 10:15:00.0\($0 + 10) D/Libre ( 4321): read [\(signed($1))]" }
    },
    Self("log of a container") {
      rows($0, 8) { "{\"log\":\"\($0) \(hex($1))\\n\",\"stream\":\"stdout\",\"time\":\"2024-05-02T10:15:00.1Z\"}" }
    },
    Self("quoted mail") { rows($0, 16) { "> > \(hex($1))" } },
    Self("logcat") {
      rows($0, 8) { "05-02 10:15:\(digits($0, radix: 10)).123  1234  5678 D Nfc: block \($0): \(hex($1))" }
    },
    Self("logcat with other lines between") {
      rows($0, 16) { "05-02 10:15:12.123  1234  5678 D Nfc: \(hex($1))\n\(prose)" }
    },
    Self("notifications of twenty bytes") {
      rows($0, 20) { "10:15:\(digits($0, radix: 10)).001 value: (0x) \(hex($1, "-"))\n\(prose)" }
    },
    Self("CAN frames") { rows($0, 8) { "(1714645000.\(digits($0 * 1000, 6, radix: 10))) can0 123#\(hex($1, ""))" } },
    Self("ESP32 log") {
      rows($0, 16) { "I (1234) nfc: 0x3ffb\(digits($0 * 16, 4))   \(hex($1[..<8]))  \(hex($1[8...])) |\(ascii($1))|" }
    },
    Self("coloured terminal") { rows($0, 8) { "\u{1B}[32m\(digits($0))\u{1B}[0m \u{1B}[1m\(hex($1))\u{1B}[0m" } },
  ]

  /// Conversations with the sensor.
  static let traces = [
    Self("single blocks over ISO 15693") { rows($0, 8) { ">> 02 20 \(digits($0))\n<< 00 \(hex($1))" } },
    Self("three blocks over ISO 15693") {
      rows($0, 24) {
        "[12:00:00.123] TX: 02 23 \(digits($0 * 3)) \(digits($1.count / 8 - 1))\n[12:00:00.456] RX: 00 \(hex($1))"
      }
    },
    Self("answers with a checksum") {
      rows($0, 24) { "Rdr | 02 23 \(digits($0 * 3)) 02 12 34\nTag | 00 \(hex($1)) AB CD" }
    },
    Self("addressed requests") { rows($0, 8) { "TX 22 20 67 45 23 01 00 A0 07 E0 \(digits($0))\nRX 00 \(hex($1))" } },
    Self("answers in any order") { memory in
      let lines = rows(memory, 8) { "> 02 20 \(digits($0)); < 00 \(hex($1))" }.split(separator: "\n")
      return lines.indices.map { lines[$0 * 17 % lines.count].replacing("; ", with: "\n") + "\n" }.joined()
    },
    Self("a chip and its driver") {
      rows($0, 8) { "NxpNciX: len = 7 > 0000042023\(digits($0))00\nNxpNciR: len = 12 > 00000900\(hex($1, ""))" }
    },
    Self("answers of a smart card reader") { rows($0, 8) { "APDU: FF B0 00 \(digits($0)) 08\nSW: \(hex($1)) 90 00" } },
  ]

  static let encodings = [
    Self("base64 in JSON") { "{\"a\":1,\"fram\":\"\(base64($0))\",\"t\":12}" },
    Self("base64 in escaped JSON") { "{\"fram\":\"\(base64($0).replacing("/", with: "\\/"))\"}" },
    Self("base64 in a URL") {
      "GET /x?content=\(base64($0).replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D"))&y=1"
    },
    Self("base64url") {
      "token " + base64($0).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    },
    Self("base64 behind a path") { "fram/" + base64($0) },
    Self("base64 in a mail") { "Content-Transfer-Encoding: base64\n\n" + wrapped(base64($0), 76) + "\n--end--\n" },
    Self("base64 in strings") { "s = (\n" + wrapped(base64($0), 60) { "  \"\($0)\" +" } + ")\n" },
    Self("base64 in a log") { wrapped(base64($0), 80) { "05-02 10:15:12.123 D/X: \($0)" } },
    Self("base64 of JSON with base64") { base64(Array("{\"d\":\"\(base64($0))\"}".utf8)) },
    Self("base64 of a listing") { base64(Array(rows($0, 8) { "\($0): \(hex($1))" }.utf8)) },
    Self("base64 of zlib") { "x " + base64([0x78, 0x01] + deflated($0)) },
    Self("JSON string of characters") {
      "{\"fram\":\""
        + $0.map { (0x23...0x5B).contains($0) ? String(Character(UnicodeScalar($0))) : "\\u00" + digits(Int($0)) }
        .joined() + "\"}"
    },
    Self("quoted-printable text") { quotedPrintable("Gr\u{FC}\u{DF}e\n\(hex($0, ""))\n".utf8) },
    Self("quoted-printable bytes") { "Content-Transfer-Encoding: quoted-printable\n\n" + quotedPrintable($0) },
    Self("percent encoding") { "data=" + hex($0, "", mark: "%") },
  ]

  /// Bytes inside other bytes.
  static let binary = [
    Self(bytes: "bytes between others") { [1, 2, 3] + [UInt8](repeating: 0xEE, count: 4_000) + $0 + [9, 9, 9] },
    Self(bytes: "ZIP") { zipEntry("a.txt", Array(prose.utf8)) + zipEntry("fram.bin", $0) },
    Self(bytes: "listing in ZIP") { zipEntry("fram.txt", Array(rows($0, 8) { "\($0): \(hex($1))" }.utf8)) },
    Self(bytes: "zlib") { [0x78, 0x01] + deflated($0) },
    Self(bytes: "Android backup") {
      Array("ANDROID BACKUP\n5\n1\nnone\n".utf8) + [0x78, 0x01] + deflated([UInt8](repeating: 0x2F, count: 512) + $0)
    },
    Self(bytes: "listing that is stored in ZIP") { memory in
      let text = Array(hex(memory).utf8)
      return [0x50, 0x4B, 3, 4] + little(20, 14) + little(text.count, 4) + little(text.count, 4) + little(5, 4)
        + Array("a.hex".utf8) + text
    },
    Self(bytes: "base64 between zeros") { memory in
      Array("hello hello".utf8) + [UInt8](repeating: 0, count: 99) + Array(wrapped(base64(memory), 76).utf8)
    },
    Self(bytes: "recording of packets") { memory in
      [0xD4, 0xC3, 0xB2, 0xA1] + little(4 << 16 | 2, 16) + little(201, 4)
        + notifications(memory).flatMap { little(1, 8) + little($0.count, 4) + little($0.count, 4) + $0 }
    },
    Self(bytes: "recording of blocks of packets") { memory in
      var file = little(0x0A0D_0D0A, 4) + little(28, 4) + little(0x1A2B_3C4D, 4) + little(1, 12) + little(28, 4)
      for packet in notifications(memory) {
        let padding = [UInt8](repeating: 0, count: (4 - packet.count % 4) % 4)
        let (count, length) = (little(packet.count, 4), little(32 + packet.count + padding.count, 4))
        file += little(6, 4) + length + little(0, 12) + count + count
        file += packet + padding + length
      }
      return file
    },
    Self(bytes: "recording of Bluetooth on a phone") { memory in
      Array("btsnoop\0".utf8) + little(1, 8)
        + notifications(memory).flatMap { packet in
          let length: [UInt8] = [0, 0, 0, UInt8(packet.count)]
          return length + length + little(0, 16) + packet
        }
    },
    Self(bytes: "UTF-16 with the higher byte first") { rows($0, 8) { "\($0) \(hex($1))" }.utf8.flatMap { [0, $0] } },
    Self(bytes: "digits between letters in a database") { [0, 1, 0x71] + Array(hex($0, "").utf8) + [0x41, 0, 0xFF] },
    Self(bytes: "UTF-16 without a mark") { rows($0, 8) { "\($0) \(hex($1))" }.utf8.flatMap { [$0, 0] } },
    Self(bytes: "UTF-16 with a mark") { [0xFF, 0xFE] + rows($0, 8) { "\($0)\t\(hex($1))" }.utf8.flatMap { [$0, 0] } },
  ]
}

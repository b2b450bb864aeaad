// SPDX-License-Identifier: Apache-2.0

extension FoundContainer {
  /// Arrays and strings of programming languages.
  static let source = [
    Self("C, twelve bytes a line") { rows($0, 12) { "  " + hex($1, ", ", mark: "0x") + "," } + "};\n" },
    Self("C, one byte a line") { prose + rows($0, 1) { "  0x" + hex($1) + "," } },
    Self("C without zeros in front") {
      rows($0, 8) { $1.map { "0x" + digits(Int($0), 1) }.joined(separator: ", ") + "," }
    },
    Self("C with offsets in comments") {
      rows($0, 8) { "  /* 0x\(digits($0 * 8)) */ \(hex($1, ", ", mark: "0x")),  // block \($0) \(ascii($1))" }
    },
    Self("C with addresses behind") { rows($0, 8) { "  \(hex($1, ", ", mark: "0x")), // 0x\(digits($0 * 8, 4))" } },
    Self("C string in escapes") { rows($0, 16) { "  \"\(hex($1, "", mark: "\\x"))\"" } + ";\n" },
    Self("C string in octal") {
      "char m[] = \"" + $0.map { "\\" + digits(Int($0), 3, radix: 8) }.joined() + "\";\n"
    },
    Self("C array of 64-bit words") { "uint64_t m[] = {" + words($0, 8, digits: 16, ",\n ", mark: "0x") + "};\n" },
    Self("assignments in hex") { rows($0, 1) { "  fram[\($0)] = 0x\(hex($1));" } },
    Self("assignments in decimal") { rows($0, 1) { "  fram[\($0)] = \($1[0]);" } },
    Self("Swift") { "let fram: [UInt8] = [\(hex($0, ", ", mark: "0x"))]\n" },
    Self("Swift in decimal") { "#expect(fram == [\(decimal($0))])\n" },
    Self("Swift string of digits") { "let fram = Data(hex: \"\(hex($0, ""))\")!\n" },
    Self("Java, signed") { "byte[] m = {\n" + rows($0, 16) { "  \(signed($1))," } + "};\n" },
    Self("Java with casts of hex") {
      rows($0, 10) { $1.map { ($0 > 127 ? "(byte) 0x" : "0x") + hex([$0]) }.joined(separator: ", ") + "," }
    },
    Self("Java with casts of decimals") {
      rows($0, 10) { $1.map { ($0 > 127 ? "(byte)" : "") + "\($0)" }.joined(separator: ", ") + "," }
    },
    Self("Kotlin") {
      rows($0, 8) { $1.map { "0x\(hex([$0]))" + ($0 > 127 ? ".toByte()" : "") }.joined(separator: ", ") + "," }
    },
    Self("Rust") { rows($0, 16) { "  " + $1.map { "0x\(hex([$0]))u8" }.joined(separator: ", ") + "," } },
    Self("Rust string") { "let m = b\"\(escaped($0))\";\n" },
    Self("Python list") { "data = [\(decimal($0))]\n" },
    Self("Python string") { "data = b'\(escaped($0))'\n" },
    Self("Python strings in lines") { "data = (\n" + rows($0, 16) { "    b'\(escaped($1))'" } + ")\n" },
    Self("Python fromhex") { "x = bytes.fromhex('''\n" + rows($0, 16) { "  \(hex($1))" } + "''')\n" },
    Self("JavaScript") { "const m = new Uint8Array([\(decimal($0, ","))]);\n" },
    Self("JavaScript, an object of numbers") {
      "{" + $0.enumerated().map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    },
    Self("JavaScript, a number a line") { "{\"type\":\"Buffer\",\"data\":[\n" + decimal($0, ",\n  ") + "\n]}" },
    Self("Node.js buffer") { prose + "<Buffer \(hex($0).lowercased())>\n" },
    Self("Visual Basic") { "Dim m() As Byte = {\(hex($0, ", ", mark: "&H"))}\n" },
    Self("Pascal") { rows($0, 16) { "  " + hex($1, ", ", mark: "$") + "," } },
    Self("assembler") {
      rows($0, 8) { "  db " + $1.map { ($0 >= 0xA0 ? "0" : "") + hex([$0]) + "h" }.joined(separator: ", ") }
    },
    Self("assembler of words") { rows($0, 16) { "\t.long " + words($1, 4, digits: 8, ", ", mark: "0x") } },
    Self("VHDL") { rows($0, 8) { $1.map { "x\"\(hex([$0]))\", " }.joined() } },
    Self("Verilog") { rows($0, 8) { $1.map { "8'h\(hex([$0]).lowercased()), " }.joined() } },
    Self("Lisp") { "(vector \(hex($0, " ", mark: "#x")))\n" },
    Self("Lua") { "local m = \"" + $0.map { "\\" + digits(Int($0), 3, radix: 10) }.joined() + "\"\n" },
    Self("literals in binary") { "[" + $0.map { "0b" + digits(Int($0), 8, radix: 2) }.joined(separator: ", ") + "]" },
    Self("literals in octal") { "{" + $0.map { "0" + digits(Int($0), 3, radix: 8) }.joined(separator: ", ") + "}" },
    Self("PHP") { rows($0, 1) { "  [\($0)]=>\n  int(\($1[0]))" } },
    Self("SQL") { "INSERT INTO scans VALUES (1, X'\(hex($0, ""))', 12);\n" },
    Self("PostgreSQL") { "1\t\\\\x\(hex($0, "").lowercased())\n" },
    Self("R") { "m <- as.raw(c(\(hex($0, ", ", mark: "0x"))))\n" },
    Self("Erlang") { "<<\(decimal($0, ","))>>\n" },
  ]

  /// Listings as programs for bytes print them.
  static let tools = [
    Self("xxd after other bytes") {
      rows([UInt8](repeating: 0x41, count: 1_000) + $0 + [UInt8](repeating: 7, count: 99), 16) {
        digits($0 * 16, 8) + ": " + wrapped(hex($1, ""), 4).replacing("\n", with: " ") + " " + ascii($1)
      }
    },
    Self("xxd -i") {
      "unsigned char m_bin[] = {\n" + rows($0, 12) { "  \(hex($1, ", ", mark: "0x").lowercased())," } + "};\n"
    },
    Self("xxd -e") { rows($0, 16) { "\(digits($0 * 16, 8)): \(words($1, 4, digits: 8, " "))  \(ascii($1))" } },
    Self("xxd -p") { rows($0, 30) { hex($1, "").lowercased() } },
    Self("xxd -b") {
      rows($0, 6) {
        "\(digits($0 * 6, 8)): \($1.map { digits(Int($0), 8, radix: 2) }.joined(separator: " "))  \(ascii($1))"
      }
    },
    Self("xxd, twenty bytes a row") { rows($0, 20) { "\(digits($0 * 20, 8)): \(hex($1))  \(ascii($1))" } },
    Self("hexdump -C") { rows($0, 16) { "\(digits($0 * 16, 8))  \(hex($1[..<8]))  \(hex($1[8...]))  |\(ascii($1))|" } },
    Self("hexdump") { rows($0, 16) { "\(digits($0 * 16, 7)) \(words($1, 2, digits: 4, " "))" } },
    Self("od") { rows($0, 16) { "\(digits($0 * 16, 7, radix: 8)) \(words($1, 2, radix: 8, digits: 6, " "))" } },
    Self("od with a star for equal rows") { memory in
      var lines: [String] = []
      var before: [UInt8] = []
      _ = rows(memory, 16) { number, row in
        if row != before {
          lines.append("\(digits(number * 16, 7, radix: 8)) \(words(row, 2, radix: 8, digits: 6, " "))")
        } else if lines.last != "*" {
          lines.append("*")
        }
        before = row
        return ""
      }
      return lines.map { $0 + "\n" }.joined() + "0000530\n"
    },
    Self("od -b") {
      rows($0, 16) {
        "\(digits($0 * 16, 7, radix: 8)) " + $1.map { digits(Int($0), 3, radix: 8) }.joined(separator: " ")
      }
    },
    Self("od -c") { rows($0, 16) { digits($0 * 16, 7, radix: 8) + $1.map(cell).joined() } },
    Self("hexdump -c") { rows($0, 16) { digits($0 * 16, 7) + $1.map(cell).joined() } },
    Self("od -d") { rows($0, 16) { digits($0 * 16, 7, radix: 8) + numbers($1, 2, padded: " ") } },
    Self("od -i") { rows($0, 16) { digits($0 * 16, 7, radix: 8) + numbers($1, 4, isSigned: true, padded: " ") } },
    Self("od -td2") { rows($0, 16) { digits($0 * 16, 7, radix: 8) + numbers($1, 2, isSigned: true, padded: " ") } },
    Self("hexdump -d") { rows($0, 16) { digits($0 * 16, 7) + numbers($1, 2, padded: "0") } },
    Self("od -tx1z") { rows($0, 16) { "\(digits($0 * 16, 6)) \(hex($1))  >\(ascii($1))<" } },
    Self("od -tx8") { rows($0, 16) { "\(digits($0 * 16, 7, radix: 8)) \(words($1, 8, digits: 16, " "))" } },
    Self("od -td1") { rows($0, 16) { "\(digits($0 * 16, 7, radix: 8)) " + signed($1).replacing(",", with: "  ") } },
    Self("gdb, bytes") {
      rows($0, 8) { "0x\(digits(0x2000_0000 + $0 * 8)) <m+\($0 * 8)>:\t" + hex($1, "\t", mark: "0x") }
    },
    Self("gdb, words") {
      rows($0, 16) { "0x\(digits(0x2000_0000 + $0 * 16)):\t" + words($1, 4, digits: 8, "\t", mark: "0x") }
    },
    Self("lldb") { rows($0, 16) { "0x\(digits(0x1_6FDF_F000 + $0 * 16)): \(hex($1).lowercased())  \(ascii($1))" } },
    Self("WinDbg") {
      rows($0, 16) {
        "00000000`\(digits($0 * 16, 8))  \(hex($1[..<8]))" + ($1.count > 8 ? "-\(hex($1[8...]))" : "")
          + "  \(ascii($1))"
      }
    },
    Self("Intel HEX") {
      rows($0, 16) { number, row in
        let head = [UInt8(row.count), UInt8(number >> 4), UInt8(number << 4 & 0xFF), 0] + row
        return ":" + hex(head + [0 &- head.reduce(0, &+)], "")
      } + ":00000001FF\n"
    },
    Self("S-records") {
      rows($0, 16) { number, row in
        let head = [UInt8(row.count + 3), UInt8(number >> 4), UInt8(number << 4 & 0xFF)] + row
        return "S1" + hex(head + [~head.reduce(0, &+)], "")
      }
    },
    Self("TI-TXT") { "@F860\n" + rows($0, 16) { hex($1) } + "q\n" },
    Self("Wireshark") { rows($0, 16) { "\(digits($0 * 16, 4))   \(hex($1).lowercased())   \(ascii($1))" } },
  ]
}

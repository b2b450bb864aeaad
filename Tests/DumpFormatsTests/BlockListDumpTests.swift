// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Testing

@testable import DumpFormats

struct BlockListDumpTests {
  private static let memory = Scenario.named("active")?.memory(seed: 2) ?? []

  private static func row(_ block: Int, _ separator: String = " ", lead: String = "") -> String {
    let bytes = memory[8 * block..<8 * block + 8].map { "0x" + HexText.string(of: [$0]) }
    return "\(lead)Block \(block): \(bytes.joined(separator: separator))"
  }

  private func image(_ text: String) throws -> MemoryImage { try BlockListDump().onlyImage(in: text) }

  @Test("reads rows in any order, with spaces or commas, after a log prefix")
  func whole() throws {
    for separator in [" ", ", ", ","] {
      let rows = (0..<43).reversed().map { Self.row($0, separator, lead: "12:00:01 > ") }
      #expect(try image(rows.joined(separator: "\r\n")).bytes == Self.memory)
    }
  }
}

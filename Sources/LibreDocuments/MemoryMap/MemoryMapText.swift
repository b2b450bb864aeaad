// SPDX-License-Identifier: Apache-2.0
package import LibreKit
import TextFormats

/// The memory map of one dump as text, byte by byte, damaged or not.
package struct MemoryMapText: Sendable {
  private let style: Style

  package init(style: Style) { self.style = style }

  /// Lines, each with its line end. Dashes replace bytes that the dump lacks.
  package func text(of map: MemoryMapListing) -> String {
    let title = "\(style.bold(SafeText.line(map.path))): \(map.format), \(map.byteCount) bytes"
    let note = map.isDecrypted ? ", decrypted" : map.remark.map { ", \($0)" } ?? ""
    var lines = ["\(title)\(note), \(Self.text(of: map.kind))"]
    if case .other = map.kind {
      lines += [""] + map.regions.map(heading)
      if !map.facts.isEmpty { lines += [""] + Columns.lines(map.facts) }
      let rows = map.fields.map { [String($0.offset), Self.digits($0), $0.isMissing ? Self.missing : $0.name] }
      lines += [""] + Columns.lines(rows, [.right])
      lines += ["", (["Offsets are decimal bytes."] + map.caveats).joined(separator: " ")]
      return lines.joined(separator: "\n") + "\n"
    }
    for region in map.regions {
      lines += ["", heading(region)]
      let rows = map.fields.filter { region.region.bytes.contains($0.offset) }.map { field in
        [
          String(field.offset), Self.digits(field), field.name, field.isMissing ? Self.missing : field.value,
          field.confidence.flatMap { $0 == .verified ? nil : "(\($0.rawValue))" } ?? "",
        ]
      }
      lines += Columns.lines(rows, [.right])
    }
    lines += rest(of: map)
    lines += [
      "",
      "Offsets are decimal bytes. Meanings are verified on real memories unless marked: read (in code of other projects),",
      "derived (from real memories, without another source), unknown.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static let missing = "not in the dump"

  private static func digits(_ field: MemoryMapListing.Field) -> String {
    field.bytes.map { $0.map { HexText.string(of: $0) } ?? "--" }.joined(separator: " ")
  }

  private func heading(_ region: MemoryMapListing.Region) -> String {
    let (region, verdict) = (region.region, region.verdict)
    let place =
      "bytes \(region.start)–\(region.end - 1), blocks \(region.blocks.lowerBound)–\(region.blocks.upperBound - 1)"
    let text = "\(place): \(verdict.text)"
    return "\(style.bold(region.name)), \(verdict.isTrusted ? style.good(text) : style.bad(text))"
  }

  private func rest(of map: MemoryMapListing) -> [String] {
    guard map.byteCount > MemoryMap.byteCount else { return [] }
    let text = "bytes \(MemoryMap.byteCount)–\(map.byteCount - 1): not decoded"
    guard let code = map.code, let stored = code.checksums?.stored else { return ["", text] }
    let (region, verdict) = (code.region, code.verdict)
    return [
      "",
      "\(text); \(style.bold(region.name)), bytes \(region.start)–\(region.end - 1): \(verdict.text), checksum \(HexText.string(of: stored))",
    ]
  }

  /// The reason why all meanings may be wrong; nil if a checksum is valid.
  static func warning(about kind: MemoryKind) -> String? {
    switch kind {
    case .libre1, .other: nil
    case .blank, .unrecognised: text(of: kind)
    }
  }

  private static func text(of kind: MemoryKind) -> String {
    switch kind {
    case .libre1: "layout of a Libre 1 memory"
    case .other(let geometry): "layout of a \(geometry.family.productName.dropFirst("FreeStyle ".count)) memory"
    case .blank(let byte): "every byte is \(HexText.string(of: byte)), so it contains no data"
    case .unrecognised: "no checksum is valid: encrypted, damaged, or not a sensor memory"
    }
  }
}

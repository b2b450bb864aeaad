// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core

/// The memory map of one dump, byte by byte, damaged or not.
public struct MemoryMapText: Sendable {
  private let style: Style

  public init(style: Style) { self.style = style }

  /// Lines, each with its line end. An image that is shorter than a memory shows dashes for what it lacks.
  public func text(of image: MemoryImage, path: String, format: String) -> String {
    let whole = image.whole
    let missing = BlockSet(whole.missingBlocks)
    guard let fram = try? FRAM(whole) else { preconditionFailure("whole by its name") }
    var lines = ["\(style.bold(path)): \(format), \(image.bytes.count) bytes, \(Self.kind(of: whole.bytes, missing))"]
    let integrity = fram.integrity
    for (region, verdict) in zip(MemoryMap.regions, [integrity.header, integrity.body, integrity.footer]) {
      lines += ["", title(region, verdict)]
      let entries = Datasheet.entries.filter { region.bytes.contains($0.bytes.lowerBound) }
      let rows = entries.map { entry in
        let isMissing = entry.bytes.contains { missing.contains($0 / MemoryMap.blockSize) }
        let bytes =
          isMissing
          ? Self.dashes(entry, in: whole.bytes, missing) : HexText.string(of: whole.bytes[entry.bytes], separator: " ")
        return [
          String(entry.bytes.lowerBound), bytes, entry.name, isMissing ? "not in the dump" : entry.value(in: fram),
          entry.confidence == .verified ? "" : "(\(entry.confidence.rawValue))",
        ]
      }
      lines += Columns.lines(rows, [.right, .left, .left, .left, .left])
    }
    lines += rest(of: image)
    lines += [
      "",
      "Offsets are decimal bytes. Meanings are verified on real memories unless marked: read (in the code of others),",
    ]
    lines += ["derived (from real memories, in no other source), unknown (nobody has said)."]
    return lines.joined(separator: "\n") + "\n"
  }

  private func title(_ region: MemoryMap.Region, _ verdict: RegionVerdict) -> String {
    let place =
      "bytes \(region.start)–\(region.end - 1), blocks \(region.blocks.lowerBound)–\(region.blocks.upperBound - 1)"
    let text = "\(place): \(verdict.text)"
    return "\(style.bold(region.name)), \(verdict.isTrusted ? style.good(text) : style.bad(text))"
  }

  private func rest(of image: MemoryImage) -> [String] {
    guard image.bytes.count > MemoryMap.byteCount else { return [] }
    let text = "bytes \(MemoryMap.byteCount)–\(image.bytes.count - 1): not decoded"
    let code = MemoryMap.code
    guard image.bytes.count >= code.end else { return ["", text] }
    let (stored, computed) = code.checksums(in: image.bytes.span)
    let verdict = RegionVerdict(stored: stored, computed: computed)
    return [
      "",
      "\(text); \(style.bold(code.name)), bytes \(code.start)–\(code.end - 1): \(verdict.text), checksum \(HexText.string(of: stored))",
    ]
  }

  private static func dashes(_ entry: Datasheet.Entry, in bytes: [UInt8], _ missing: BlockSet) -> String {
    entry.bytes.map { missing.contains($0 / MemoryMap.blockSize) ? "--" : HexText.string(of: [bytes[$0]]) }
      .joined(separator: " ")
  }

  private static func kind(of bytes: [UInt8], _ missing: BlockSet) -> String {
    switch MemoryKind(of: bytes.span, missingBlocks: missing) {
    case .libre1: "laid out as a Libre 1 memory"
    case .librePro: "laid out as a Libre Pro memory, so the meanings below do not hold"
    case .blank(let byte): "every byte is \(HexText.string(of: byte)), so nothing was read"
    case .unrecognised: "no checksum holds: encrypted, damaged, or no sensor memory"
    }
  }
}

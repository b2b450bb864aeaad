// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core
import LibreKit

/// The memory map of one dump, byte by byte, damaged or not.
public struct MemoryMapText: Sendable {
  private let style: Style

  public init(style: Style) { self.style = style }

  /// Lines, each with its line end. An image that is shorter than a memory shows dashes for what it lacks.
  public func text(of image: MemoryImage, path: String, format: String) -> String {
    let (memory, note) = Self.shown(CheckedImage(image))
    let title = "\(style.bold(path)): \(format), \(image.bytes.count) bytes"
    if let layout = Registry.sensorLayouts.first(where: { memory.kind == .other($0.geometry) }) {
      return blocks(of: memory.image, layout, title: "\(title), laid out as a \(layout.geometry.name) memory")
    }
    let fram = memory.fram
    let (bytes, missing) = (fram.allBytes, fram.missingBlocks)
    var lines = ["\(title)\(note), \(Self.text(of: memory.kind))"]
    for (region, verdict) in MemoryMap.geometry.verdicts(in: fram.integrity) {
      lines += ["", heading(region, verdict)]
      let entries = Datasheet.entries.filter { region.bytes.contains($0.bytes.lowerBound) }
      let rows = entries.map { entry in
        let isMissing = entry.bytes.contains { missing.contains($0 / MemoryMap.blockSize) }
        let shown =
          isMissing
          ? Self.dashes(entry, in: bytes, missing) : HexText.string(of: bytes[entry.bytes], separator: " ")
        return [
          String(entry.bytes.lowerBound), shown, entry.name, isMissing ? "not in the dump" : entry.value(in: fram),
          entry.confidence == .verified ? "" : "(\(entry.confidence.rawValue))",
        ]
      }
      lines += Columns.lines(rows, [.right, .left, .left, .left, .left])
    }
    lines += rest(of: image)
    lines += [
      "",
      "Offsets are decimal bytes. Meanings are verified on real memories unless marked: read (in the code of others),",
      "derived (from real memories, in no other source), unknown (nobody has said).",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The memory decrypted, or as it is where nothing holds, with or without a key; and a note on that. Why it is shown
  /// encrypted is said where UID and patch info are known.
  private static func shown(_ memory: CheckedImage) -> (memory: CheckedImage, note: String) {
    let image = memory.image
    let hasKey = image.uid != nil && image.patchInfo?.family.isEncrypted == true
    do {
      let plain = try PlainMemory(memory)
      if plain.isBodyProven { return (plain.memory, plain.memory == memory ? "" : ", decrypted") }
      return (memory, hasKey ? ", encrypted: one of UID and patch info is not this sensor's" : "")
    } catch {
      let note = ", encrypted: \(LibreError.memory(error).message), so the meanings below do not hold"
      return (memory, hasKey ? note : "")
    }
  }

  /// The memory's regions and facts; then its blocks, of which most are records.
  private func blocks(of image: MemoryImage, _ layout: any SensorLayout, title: String) -> String {
    guard let integrity = layout.integrity(of: image) else { preconditionFailure("as its checksums say") }
    var lines = [title, ""] + layout.geometry.verdicts(in: integrity).map { heading($0.region, $0.verdict) }
    let facts = layout.facts(of: image)
    if !facts.isEmpty { lines += [""] + Columns.lines(facts, [.left, .left]) }
    let size = MemoryMap.blockSize
    let rows = stride(from: 0, to: image.bytes.count, by: size).map { start in
      let bytes = image.bytes[start..<min(start + size, image.bytes.count)]
      let isMissing = image.missingBlocks.contains(start / size)
      return [
        String(start),
        isMissing
          ? Array(repeating: "--", count: bytes.count).joined(separator: " ")
          : HexText.string(of: bytes, separator: " "),
        isMissing
          ? "not in the dump" : layout.geometry.regions.first { $0.bytes.contains(start) }?.name ?? "history",
      ]
    }
    lines += [""] + Columns.lines(rows, [.right, .left, .left])
    lines += ["", (["Offsets are decimal bytes."] + layout.caveats).joined(separator: " ")]
    return lines.joined(separator: "\n") + "\n"
  }

  private func heading(_ region: MemoryMap.Region, _ verdict: RegionVerdict) -> String {
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

  private static func text(of kind: MemoryKind) -> String {
    switch kind {
    case .libre1: "laid out as a Libre 1 memory"
    case .other(let geometry): "laid out as a \(geometry.name) memory"
    case .blank(let byte): "every byte is \(HexText.string(of: byte)), so nothing was read"
    case .unrecognised: "no checksum holds: encrypted, damaged, or no sensor memory"
    }
  }
}

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
    // Where nothing holds, with or without a key, the bytes are shown as they are.
    let plain = (try? PlainMemory(image)).flatMap { $0.isBodyProven ? $0.image : nil } ?? image
    let title = "\(style.bold(path)): \(format), \(image.bytes.count) bytes"
    let kind = MemoryKind(of: plain.bytes.span)
    if let layout = Registry.sensorLayouts.first(where: { kind == .other($0.geometry) }) {
      return blocks(of: plain, layout, title: "\(title), laid out as a \(layout.geometry.name) memory")
    }
    let whole = plain.whole
    let missing = BlockSet(whole.missingBlocks)
    guard let fram = try? FRAM(whole) else { preconditionFailure("whole by its name") }
    let decrypted = plain == image ? Self.refusal(image) : ", decrypted"
    var lines = ["\(title)\(decrypted), \(Self.kind(of: whole.bytes, missing))"]
    for (region, verdict) in MemoryMap.geometry.verdicts(in: fram.integrity) {
      lines += ["", heading(region, verdict)]
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
      "derived (from real memories, in no other source), unknown (nobody has said).",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Why a memory of which UID and patch info are known is shown encrypted; empty where there is nothing to say.
  private static func refusal(_ image: MemoryImage) -> String {
    guard image.uid != nil, image.patchInfo?.family.isEncrypted == true else { return "" }
    do {
      return try PlainMemory(image).isBodyProven ? "" : ", encrypted: one of UID and patch info is not this sensor's"
    } catch {
      return ", encrypted: \(LibreError.memory(error).message), so the meanings below do not hold"
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

  private static func kind(of bytes: [UInt8], _ missing: BlockSet) -> String {
    switch MemoryKind(of: bytes.span, missingBlocks: missing) {
    case .libre1: "laid out as a Libre 1 memory"
    case .other(let geometry): "laid out as a \(geometry.name) memory"
    case .blank(let byte): "every byte is \(HexText.string(of: byte)), so nothing was read"
    case .unrecognised: "no checksum holds: encrypted, damaged, or no sensor memory"
    }
  }
}

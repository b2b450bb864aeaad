// SPDX-License-Identifier: Apache-2.0
package import DumpFormats
import TextFormats

/// A transcript of exchanges with sensors (`--trace`), of the lines of `TraceLine`; each scan in it gives a memory, and
/// ends with its `# read-at`.
///
/// As in a replay, a tap belongs to the previous scan if that had lost the sensor and then found the same UID. If a
/// block was read twice, the later bytes count, or none if it was refused then: `Scan` repeats blocks that the sensor
/// has changed. Blocks of the memory that were not read are missing.
package struct TraceDump: DumpFormat {
  package init() {}

  package let name = "trace"
  package let summary = "a transcript of exchanges with a sensor, written by --trace"

  /// - Throws: as `scans(in:)`.
  package func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let dumps = try Self.scans(in: file).compactMap(\.scan.dump)
    // A failure, so that the digits of its frames are not read as a memory in hex.
    return DumpSequence(dumps.isEmpty ? [.failure(.noMemory)] : dumps)
  }

  /// The scans of a transcript, each with its lines, which together are all lines.
  /// - Throws: `badLine` for an invalid line, and for more lines than allowed.
  static func scans(in file: DumpFile) throws(DumpError) -> [(scan: RecordedScan, lines: [TraceLine])] {
    if file.bytes.isEmpty { throw .empty }
    guard let text = file.plainText else { throw .isBinary }
    guard text.contains(text: Self.magic) else { throw .notThisFormat(lacks: "a line `# libre-trace: 1`") }
    let lines: [(number: Int, line: TraceLine)]
    do {
      lines = try Trace.numberedLines(of: text)
    } catch {
      if case .badTrace(let line) = error { throw .badLine(line: line, expected: "a line of a transcript") }
      let most = Trace.maximumLines
      throw .badLine(line: most + 1, expected: "at most \(most) lines in a transcript")
    }
    var scans = [(scan: RecordedScan(line: 1), lines: [TraceLine]())]
    for (number, line) in lines {
      if let next = scans[scans.count - 1].scan.add(line, number: number) { scans.append((next, [])) }
      scans[scans.count - 1].lines.append(line)
    }
    return scans
  }

  private static let magic = "# libre-trace:"
}

struct RecordedScan {
  private let line: Int
  private var uid: SensorUID?
  private var patchInfo: PatchInfo?
  private var readAt: Instant?
  private var blocks: [Int: [UInt8]] = [:]
  private var isLost = false
  private var hasEnded = false
  /// One more than the last block of any sensor's data.
  private static let blockLimit = MemoryGeometry.all.map(\.dataBlockCount).max() ?? 0

  init(line: Int) { self.line = line }

  /// Adds a line; returns the next scan if it begins with this line.
  mutating func add(_ line: TraceLine, number: Int) -> RecordedScan? {
    switch line {
    case .tap:
      // Without a UID it is unknown if it is the same sensor.
      if hasEnded || !isLost || uid == nil { return RecordedScan(line: number) }
      isLost = false
    case .noTap, .removed: hasEnded = true
    case .readAt(let instant):
      readAt = instant
      hasEnded = true
    case .exchange(_, .failure(let failure)): isLost = failure == .lost || failure == .silent
    case .exchange(let frame, .frame(let answer)):
      isLost = false
      guard let request = ISO15693.Request(frame: frame), let response = try? ISO15693.Response(answer, to: request)
      else { break }
      if case .inventory(let found) = response, let known = uid, known != found {
        var next = RecordedScan(line: number)
        next.uid = found
        return next
      }
      add(response, to: request)
    case .format, .tool, .reader, .name, .dialect, .comment: break
    }
    return nil
  }

  private mutating func add(_ response: ISO15693.Response, to request: ISO15693.Request) {
    switch response {
    case .inventory(let found): uid = found
    case .systemInformation(let found): uid = uid ?? found
    case .patchInfo(let info): patchInfo = info
    case .blocks(let data):
      for (index, block) in (request.blocks ?? 0..<0).enumerated() {
        // Another kind of tag may have more blocks than any sensor.
        guard block < Self.blockLimit else { continue }
        blocks[block] = Array(data[index * MemoryMap.blockSize..<(index + 1) * MemoryMap.blockSize])
      }
    case .error:
      switch request {
      case .readBlock(let block): blocks[Int(block)] = nil
      case .readWideBlock(let block, _): blocks[Int(block)] = nil
      case .inventory, .systemInformation, .readBlocks, .readWideBlocks, .patchInfo: break
      }
    }
  }

  /// The memory; nil if no block was read, `wrongLength` if another kind of tag had more blocks than a sensor.
  var dump: DumpSequence.Element? {
    guard let last = blocks.keys.max() else { return nil }
    let layout = patchInfo.flatMap { info in SensorLayouts.all.compactMap { $0.named(by: info, uid: uid) }.first }
    let whole = (layout?.geometry ?? MemoryMap.geometry).blockCount
    let all = 0..<max(last + 1, whole)
    let missing = all.filter { blocks[$0] == nil }
    let bytes = all.flatMap { blocks[$0] ?? Array(repeating: 0, count: MemoryMap.blockSize) }
    do { try DumpLength.check(bytes) } catch { return .failure(error) }
    let shown = uid.flatMap { $0.isWithheld ? nil : $0 }
    let image = MemoryImage(bytes: bytes, missingBlocks: missing, uid: shown, patchInfo: patchInfo, readAt: readAt)
    return .success(Dump(image: image, line: line))
  }
}

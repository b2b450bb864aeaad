// SPDX-License-Identifier: Apache-2.0
package import DumpFormats
import GlucoseReport
import HostSystem
package import LibreKit

/// Checks before a file is replaced, so that no data is lost unless the user allows it.
package enum FileReplacement {
  /// Checks that the file at a path is empty or absent, because all its content would be lost.
  package static func check(_ path: String) throws(LibreError) {
    if !(try content(of: path, limit: 1)).isEmpty { throw .output(.wouldLose(path: path, loss: "its contents")) }
  }

  /// A document that libre makes anew from the samples, so that a newer one may replace an older one.
  package enum OwnDocument: Sendable {
    case page, picture, pdf, png

    fileprivate func isMade(_ file: [UInt8]) -> Bool {
      func begins(_ start: String, with mark: String) -> Bool {
        let head = String(decoding: file.prefix(Self.headSize), as: UTF8.self)
        return head.hasPrefix(start) && head.contains(mark)
      }
      return switch self {
      case .page: begins("<!DOCTYPE html>", with: DocumentMark.page)
      case .picture: begins("<?xml ", with: DocumentMark.picture)
      case .pdf: ReportConverter.pdf.isMade(file)
      case .png: ReportConverter.png.isMade(file)
      }
    }

    /// Bytes in which the mark of a page or a picture stands.
    private static let headSize = 1_024

    fileprivate var words: String {
      switch self {
      case .page, .pdf: "a report of libre"
      case .picture, .png: "a picture of libre"
      }
    }
  }

  /// Checks that the file at a path is empty or an older document of the same kind.
  package static func check(_ path: String, by document: OwnDocument) throws(LibreError) {
    let old = try content(of: path, limit: DumpFile.sizeLimit)
    if old.isEmpty || document.isMade(old) { return }
    throw .output(.wouldLose(path: path, loss: "its contents, which are not \(document.words),"))
  }

  /// Checks that the new file contains every memory of the old one, with the same UID, patch info and scan time.
  package static func check(_ path: String, by dump: [UInt8]) throws(LibreError) {
    let old = try content(of: path, limit: DumpFile.sizeLimit)
    if old.isEmpty || old == dump { return }
    guard let lost = images(in: old) else {
      throw .output(.wouldLose(path: path, loss: "its contents, which are not a dump,"))
    }
    let kept = images(in: dump) ?? []
    for image in lost {
      let same = kept.filter { $0.holdsBytes(of: image) }
      guard let best = same.map({ $0.facts(missingFrom: image) }).min(by: { $0.count < $1.count }) else {
        throw .output(.wouldLose(path: path, loss: "its memory, which is a different one,"))
      }
      if !best.isEmpty { throw .output(.wouldLose(path: path, loss: best.map(\.text).joined(separator: ", "))) }
    }
  }

  private static func content(of path: String, limit: Int) throws(LibreError) -> [UInt8] {
    guard path != "-" else { return [] }
    try libre(FileSystem.checkIsNotStore(path))
    return try libre(FileSystem.head(of: path, count: limit))
  }

  private static func images(in file: [UInt8]) -> [MemoryImage]? {
    guard let dumps = try? DumpDecoder().open(file).dumps else { return nil }
    let images = dumps.compactMap { try? $0.get().image }
    return images.isEmpty ? nil : images
  }
}

extension MemoryImage {
  /// True if this memory has every block of the other one with the same bytes.
  fileprivate func holdsBytes(of other: MemoryImage) -> Bool {
    guard bytes.count >= other.bytes.count, Set(missingBlocks).isSubset(of: other.missingBlocks) else { return false }
    let missing = Set(other.missingBlocks)
    return other.bytes.indices.allSatisfy { missing.contains($0 / MemoryMap.blockSize) || bytes[$0] == other.bytes[$0] }
  }

  fileprivate func facts(missingFrom other: MemoryImage) -> [DumpFact] {
    var facts: [DumpFact] = []
    if let uid = other.uid, uid != self.uid { facts.append(.uid) }
    if let info = other.patchInfo, info != patchInfo { facts.append(.patchInfo) }
    if let time = other.readAt, time != readAt { facts.append(.readAt) }
    return facts
  }
}

extension DumpFact {
  package var text: String {
    switch self {
    case .uid: "the UID"
    case .patchInfo: "the patch info"
    case .readAt: "the time of the scan"
    case .missingBlocks: "the missing blocks"
    }
  }
}

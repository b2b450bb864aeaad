// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import DumpFormats
import HostSystem
import Libre1Core

/// Checks before a file is replaced, so that no data is lost unless the user allows it.
public enum FileReplacement {
  /// Checks that the file at a path is empty or absent, because all its content would be lost.
  ///
  /// - Throws: `OutputError.wouldLose` for a file that is not empty.
  public static func check(_ path: String) throws(LibreError) {
    if !(try content(of: path, limit: 1)).isEmpty {
      throw .output(.wouldLose(path: path, loss: "its contents"))
    }
  }

  /// Checks that the new file contains every memory of the old one, with the same UID, patch info and scan time.
  ///
  /// - Throws: `OutputError.wouldLose`, which names the data that would be lost.
  public static func check(_ path: String, by dump: [UInt8]) throws(LibreError) {
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

  /// The bytes of a regular file; empty if it does not exist.
  private static func content(of path: String, limit: Int) throws(LibreError) -> [UInt8] {
    guard path != "-" else { return [] }
    try Files.writing { () throws(OutputError) in try FileSystem.checkIsNotStore(path) }
    return try Files.head(of: path, count: limit)
  }

  /// The memories in a file; nil if it contains no readable one.
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

  /// The facts of the other memory that this one lacks.
  fileprivate func facts(missingFrom other: MemoryImage) -> [DumpFact] {
    var facts: [DumpFact] = []
    if let uid = other.uid, uid != self.uid { facts.append(.uid) }
    if let info = other.patchInfo, info != patchInfo { facts.append(.patchInfo) }
    if let time = other.readAt, time != readAt { facts.append(.readAt) }
    return facts
  }
}

extension DumpFact {
  /// The name of the fact, for messages.
  public var text: String {
    switch self {
    case .uid: "the UID"
    case .patchInfo: "the patch info"
    case .readAt: "the time of the scan"
    case .missingBlocks: "the missing blocks"
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import DumpFormats
import HostSystem
import Libre1Core

/// Whether a file may take the place of another: nothing is replaced by something poorer unless the user asks for it.
public enum FileReplacement {
  /// Checks that a file with a new content may be written, where anything at the path would be lost.
  ///
  /// - Throws: `OutputError.wouldLose` if there is a file with something in it.
  public static func check(_ path: String) throws(LibreError) {
    if !(try content(of: path, limit: 1)).isEmpty {
      throw .output(.wouldLose(path: path, loss: "what is in it"))
    }
  }

  /// Checks that the dumps at a path may be replaced by others.
  ///
  /// They may if each memory in the file is in the new one too, with the same UID, patch info and scan time.
  ///
  /// - Throws: `OutputError.wouldLose`, which names what would be lost.
  public static func check(_ path: String, by dump: [UInt8]) throws(LibreError) {
    let old = try content(of: path, limit: DumpFile.sizeLimit)
    if old.isEmpty || old == dump { return }
    guard let lost = images(in: old) else {
      throw .output(.wouldLose(path: path, loss: "what is in it, which is not a dump,"))
    }
    let kept = images(in: dump) ?? []
    for image in lost {
      let same = kept.filter { $0.holdsBytes(of: image) }
      guard let best = same.map({ $0.facts(lackingOf: image) }).min(by: { $0.count < $1.count }) else {
        throw .output(.wouldLose(path: path, loss: "the memory in it, which is another one,"))
      }
      if !best.isEmpty { throw .output(.wouldLose(path: path, loss: best.map(\.text).joined(separator: ", "))) }
    }
  }

  /// The bytes of a regular file; none where there is no such file.
  private static func content(of path: String, limit: Int) throws(LibreError) -> [UInt8] {
    guard path != "-" else { return [] }
    try Files.writing { () throws(OutputError) in try FileSystem.spareStore(path) }
    return try Files.head(of: path, count: limit)
  }

  /// The memories in a file; nil if none can be read from it.
  private static func images(in file: [UInt8]) -> [MemoryImage]? {
    guard let dumps = try? DumpDecoder().open(file).dumps else { return nil }
    let images = dumps.compactMap { try? $0.get().image }
    return images.isEmpty ? nil : images
  }
}

extension MemoryImage {
  /// True if every block that the other memory has is here with the same bytes.
  fileprivate func holdsBytes(of other: MemoryImage) -> Bool {
    guard bytes.count >= other.bytes.count, Set(missingBlocks).isSubset(of: other.missingBlocks) else { return false }
    let missing = Set(other.missingBlocks)
    return other.bytes.indices.allSatisfy { missing.contains($0 / MemoryMap.blockSize) || bytes[$0] == other.bytes[$0] }
  }

  /// The facts of the other memory that are not here.
  fileprivate func facts(lackingOf other: MemoryImage) -> [DumpFact] {
    var facts: [DumpFact] = []
    if let uid = other.uid, uid != self.uid { facts.append(.uid) }
    if let info = other.patchInfo, info != patchInfo { facts.append(.patchInfo) }
    if let time = other.readAt, time != readAt { facts.append(.readAt) }
    return facts
  }
}

extension DumpFact {
  /// For a message: what a file has no room for.
  public var text: String {
    switch self {
    case .uid: "the UID"
    case .patchInfo: "the patch info"
    case .readAt: "the time of the scan"
    case .missingBlocks: "the missing blocks"
    }
  }
}

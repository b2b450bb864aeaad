// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core

/// A kind of dump file, as it can be read. One file per format; `DumpDetector` tries them all.
public protocol DumpFormat: Sendable {
  /// As given to `--input-format`, lower case.
  var name: String { get }
  /// Other names that it goes by.
  var aliases: [String] { get }
  /// What such a file looks like, in one sentence.
  var summary: String { get }

  /// The memories inside a file, in its order.
  ///
  /// An image has as many bytes as the file holds: whether they suffice is the caller's to judge. Throws `notThisFormat`
  /// for a file without the marks of this format, and anything else for one that has them and cannot be read.
  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence
}

extension DumpFormat {
  public var aliases: [String] { [] }

  /// True for its name and its aliases.
  public func isCalled(_ name: String) -> Bool { self.name == name || aliases.contains(name) }
}

/// A format that can be written too. Reading what was written gives the same image, as far as the format can hold it.
public protocol DumpWriter: DumpFormat {
  /// What such a file has room for besides the bytes.
  var holds: Set<DumpFact> { get }
  /// How names of such files end, without the dot; nil where the end tells nothing.
  var fileExtension: String? { get }

  /// The file. Throws `cannotWrite` for an image that has too little for this format, or whose missing blocks it cannot mark.
  func file(of image: MemoryImage) throws(DumpError) -> [UInt8]

  /// The file with notes for people, where the format has a place for them.
  func file(of image: MemoryImage, notes: [String]) throws(DumpError) -> [UInt8]
}

extension DumpWriter {
  public var fileExtension: String? { nil }

  public func file(of image: MemoryImage, notes: [String]) throws(DumpError) -> [UInt8] { try file(of: image) }

  /// What of the image gets lost in such a file, in the order of `DumpFact.allCases`.
  public func losses(of image: MemoryImage) -> [DumpFact] {
    let lost = DumpFact.known(of: image).subtracting(holds)
    return DumpFact.allCases.filter(lost.contains)
  }

  /// Throws `cannotWrite` for missing blocks, which such a file would pass off as zeros.
  func requireAllBlocks(of image: MemoryImage) throws(DumpError) {
    if !image.missingBlocks.isEmpty {
      throw .cannotWrite(format: name, obstacle: .missingBlocks(BlockSet(image.missingBlocks)))
    }
  }

  /// Throws `cannotWrite` for an image that has no block or ends within one, and `wrongLength` for one of more than a
  /// sensor has: a file of blocks could not give them back. `blockLimit` is what the format's own programs read.
  func requireWholeBlocks(of image: MemoryImage, blockLimit: Int = .max) throws(DumpError) {
    let blocks = image.bytes.count / MemoryMap.blockSize
    if blocks > blockLimit { throw .cannotWrite(format: name, obstacle: .tooManyBlocks(blocks, limit: blockLimit)) }
    if image.bytes.isEmpty || !image.bytes.count.isMultiple(of: MemoryMap.blockSize) {
      throw .cannotWrite(format: name, obstacle: .cutBlock(byteCount: image.bytes.count))
    }
    try DumpLength.check(image.bytes)
  }
}

/// What can be known of a memory besides its bytes.
public enum DumpFact: Hashable, Sendable, CaseIterable {
  case uid
  case patchInfo
  case readAt
  case missingBlocks

  static func known(of image: MemoryImage) -> Set<DumpFact> {
    var facts: Set<DumpFact> = []
    if image.uid != nil { facts.insert(.uid) }
    if image.patchInfo != nil { facts.insert(.patchInfo) }
    if image.readAt != nil { facts.insert(.readAt) }
    if !image.missingBlocks.isEmpty { facts.insert(.missingBlocks) }
    return facts
  }
}

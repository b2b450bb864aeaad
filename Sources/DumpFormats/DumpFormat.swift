// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import Libre1Core

/// A format of dump files that can be read; `DumpDetector` tries them all.
package protocol DumpFormat: Sendable {
  /// The name as given to `--input-format`, in lower case.
  var name: String { get }
  var aliases: [String] { get }
  var summary: String { get }
  /// True for a format that detection tries only if no other one reads a memory.
  var isLastResort: Bool { get }

  /// An image has as many bytes as the file contains; the caller checks the length. Throws `notThisFormat` for a file
  /// without the signature of this format, another error for a file that has it but cannot be read.
  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence
}

extension DumpFormat {
  package var aliases: [String] { [] }
  package var isLastResort: Bool { false }

  package func isCalled(_ name: String) -> Bool { self.name == name || aliases.contains(name) }
}

/// The formats of other programs, the more specific ones first: if two read the same memory, the first is reported.
package enum ForeignDumps {
  package static let databases: [any DumpFormat] = {
    #if SQLite
      [LibreLinkDatabaseDump(), XDripDatabaseDump()]
    #else
      []
    #endif
  }()
  package static let files: [any DumpFormat] = [
    ProxmarkJSONDump(), FlipperDump(), TagInfoDump(), LibreWifiDump(), LibreAlarmDump(), OOPRequestDump(), XxdDump(),
    HexdumpDump(), DiaBLEDump(), LibreMonitorDump(), OldProxmarkDump(), BlockListDump(), ProxmarkConsoleDump(),
    ProxmarkBinaryDump(), MiaoMiaoDump(), BubbleDump(), ProxmarkEMLDump(), HexDump(), DecimalDump(), Base64Dump(),
    RawDump(), FoundDump(),
  ]
}

/// A format whose files are JSON objects of another program.
package protocol JSONDumpFormat: DumpFormat {
  /// Texts of which an object of the format has at least one.
  var signatures: [String] { get }
  /// The names of the outermost members that are read.
  var members: Set<String> { get }
}

/// A format that can also be written. Reading a written file gives the same image, as far as the format can hold it.
package protocol DumpWriter: DumpFormat {
  var holds: Set<DumpFact> { get }
  /// The extension of such files, without the dot; nil if they do not have a usual one.
  var fileExtension: String? { get }

  /// Throws `cannotWrite` for an image that lacks a required fact, or whose missing blocks cannot be marked.
  func file(of image: MemoryImage) throws(DumpError) -> [UInt8]

  /// The file with notes for people, if the format has a place for them.
  func file(of image: MemoryImage, notes: [String]) throws(DumpError) -> [UInt8]
}

extension DumpWriter {
  package var fileExtension: String? { nil }

  package func file(of image: MemoryImage, notes: [String]) throws(DumpError) -> [UInt8] { try file(of: image) }

  /// The facts of the image that such a file cannot hold, in the order of `DumpFact.allCases`.
  package func losses(of image: MemoryImage) -> [DumpFact] {
    DumpFact.allCases.filter { $0.isKnown(of: image) && !holds.contains($0) }
  }

  /// Checks that no block is missing: such a file would show zeros instead. Throws `cannotWrite`.
  func requireAllBlocks(of image: MemoryImage) throws(DumpError) {
    if !image.missingBlocks.isEmpty {
      throw .cannotWrite(format: name, obstacle: .missingBlocks(BlockSet(image.missingBlocks)))
    }
  }

  /// `blockLimit` is the maximum of the programs for this format. Throws `cannotWrite` for no block or a cut one,
  /// `wrongLength` for more blocks than a sensor has.
  func requireWholeBlocks(of image: MemoryImage, blockLimit: Int = .max) throws(DumpError) {
    let blocks = image.bytes.count / MemoryMap.blockSize
    if blocks > blockLimit { throw .cannotWrite(format: name, obstacle: .tooManyBlocks(blocks, limit: blockLimit)) }
    if image.bytes.isEmpty || !image.bytes.count.isMultiple(of: MemoryMap.blockSize) {
      throw .cannotWrite(format: name, obstacle: .cutBlock(byteCount: image.bytes.count))
    }
    try DumpLength.check(image.bytes)
  }
}

package enum DumpFact: Hashable, Sendable, CaseIterable {
  case uid
  case patchInfo
  case readAt
  case missingBlocks

  fileprivate func isKnown(of image: MemoryImage) -> Bool {
    switch self {
    case .uid: image.uid != nil
    case .patchInfo: image.patchInfo != nil
    case .readAt: image.readAt != nil
    case .missingBlocks: !image.missingBlocks.isEmpty
    }
  }
}

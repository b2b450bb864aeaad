// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import Libre1Core

package struct Dump: Hashable, Sendable {
  package var image: MemoryImage { memory.image }
  package let memory: CheckedMemory
  /// The file's name for it (`Sensor decrypted FRAM`), or a text that distinguishes it from the others.
  package var label: String?
  /// Number from 1; nil if the file has no lines.
  package var line: Int?
  package var defect: DumpDefect?
  /// If the file has only the records of the scan: the image then has no bytes.
  package var records: AppRecords?
  /// The place where a search found it; nil if a format reads the file.
  package var found: FoundPlace?

  /// Missing blocks after the end of the bytes are removed from the image: the length shows that they are not there.
  package init(image: MemoryImage, label: String? = nil, line: Int? = nil, defect: DumpDefect? = nil) {
    var image = image
    image.missingBlocks.removeAll { [count = image.bytes.count] in $0 * MemoryMap.blockSize >= count }
    memory = CheckedMemory(image)
    self.label = label
    self.line = line
    self.defect = defect
  }

  /// True for a scan, even a damaged or truncated one; false for a part of a memory, a command's output, or encrypted
  /// bytes.
  var isScan: Bool { records != nil || memory.integrity.header.isTrusted || memory.integrity.body.isTrusted }
}

/// A known defect of a dump that can be read nevertheless.
package enum DumpDefect: Hashable, Sendable {
  /// A Proxmark3 client wrote lock bytes over the start of the memory, which the image therefore lists as missing
  /// (DumpFormats/Formats, "Overwritten start").
  case overwrittenByProxmark
  /// The file's UID has `E0` at both ends, so its byte order is not clear; the image has no UID (1 sensor in 256).
  case ambiguousUID
  /// Every ninth byte is lost, and the others are in wrong places, if the sensor is a Libre 2. A memory that is only
  /// encrypted looks the same until it is decrypted (DumpFormats/Formats, "TagInfo").
  case takenForLocks
}

/// The records of one scan as an app kept them, without the sensor's memory.
package struct AppRecords: Hashable, Sendable {
  /// Newest first.
  package let trend: [RawSample]
  /// Newest first, at most 32.
  package let history: [RawSample]
  package let ageMinutes: Int
  package let bytes: [UInt8]
}

/// The memories of a file one at a time, so that a database with months of scans is never in memory as a whole. It can
/// be iterated once. A memory that cannot be read gives a failure in its place.
package struct DumpSequence: Sequence, IteratorProtocol {
  package typealias Element = Result<Dump, DumpError>

  private let produce: () -> Element?

  /// A sequence of the results of `produce`, which returns nil at the end and after it.
  package init(_ produce: @escaping () -> Element?) { self.produce = produce }

  package init(_ elements: some Sequence<Element>) {
    var iterator = elements.makeIterator()
    produce = { iterator.next() }
  }

  package init(_ dump: Dump) { self.init([.success(dump)]) }

  package mutating func next() -> Element? { produce() }
}

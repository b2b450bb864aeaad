// SPDX-License-Identifier: Apache-2.0
import DumpFormats

/// A format of files that hold the memory of a sensor, which a program adds to a ``Catalogue``.
///
/// A file is recognised by its content: every format is asked, and the checksums of the memories decide between two that
/// read it.
public protocol MemoryFileFormat: Sendable {
  /// The name as given to `DecodeOptions.inputFormat`, in lower case.
  var name: String { get }
  /// A few words about such a file.
  var summary: String { get }

  /// Returns the memories in a file, which was decompressed if it was a gzip file; nil for a file of another format.
  ///
  /// - Throws: what is wrong with a file that is of this format; its description becomes part of the message.
  func memories(in file: [UInt8]) throws -> [MemoryImage]?
}

/// A program's format as one of libre's own.
struct OwnDumpFormat: DumpFormat {
  private let own: any MemoryFileFormat

  init(_ own: any MemoryFileFormat) { self.own = own }

  var name: String { own.name }
  var summary: String { own.summary }

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let memories: [MemoryImage]?
    do { memories = try own.memories(in: file.bytes) } catch {
      throw .ownFormat(name, reason: LibreError.words(of: error))
    }
    guard let memories else { throw .notThisFormat(lacks: "the signature of \(name)") }
    return DumpSequence(memories.map { .success(Dump(image: $0)) })
  }
}

extension LibreError {
  /// The words of an error of the program: its own message if it has one.
  package static func words(of error: any Error) -> String {
    (error as? any ExplainedError)?.message ?? String(describing: error)
  }
}

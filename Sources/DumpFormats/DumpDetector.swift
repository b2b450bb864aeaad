// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core

/// Finds out which format a file has: every format tries, and the checksums decide.
public struct DumpDetector: Sendable {
  /// In the order in which ties without any checksum are settled.
  public let formats: [any DumpFormat]

  public init(formats: [any DumpFormat]) { self.formats = formats }

  /// A file larger than this is no dump (DUMP-FORMATS 15).
  public static let sizeLimit = 64 << 20

  /// The memory in `file` and the name of the format it was found in.
  ///
  /// With a `name` only that format is tried. Throws `unknownFormat` if none takes the file, `ambiguousFormat` if several
  /// give equally many good checksums.
  public func parse(_ file: [UInt8], as name: String? = nil) throws(DumpError) -> (image: MemoryImage, format: String) {
    guard file.count <= Self.sizeLimit else { throw .tooLarge(found: file.count, limit: Self.sizeLimit) }
    if let name {
      guard let format = formats.first(where: { $0.name == name }) else {
        throw .noSuchFormat(name, known: formats.map(\.name))
      }
      return (try format.parse(file), format.name)
    }
    guard !file.isEmpty else { throw .empty }

    var found: [(image: MemoryImage, format: String, score: Int)] = []
    var refusals: [DumpError.Refusal] = []
    for format in formats {
      do {
        let image = try format.parse(file)
        found.append((image, format.name, Self.goodChecksums(in: image)))
      } catch {
        refusals.append(.init(format: format.name, error: error))
      }
    }
    guard let best = found.map(\.score).max() else { throw Self.verdict(on: refusals) }
    let winners = found.filter { $0.score == best }
    guard winners.count == 1 || best == 0 else { throw .ambiguousFormat(winners.map(\.format)) }
    return (winners[0].image, winners[0].format)
  }

  /// Where all formats but one refuse only because text is not bytes, that one's reason is the answer.
  private static func verdict(on refusals: [DumpError.Refusal]) -> DumpError {
    let telling = refusals.filter { ![.isText, .isBinary].contains($0.error) }
    return telling.count == 1 ? telling[0].error : .unknownFormat(refusals)
  }

  /// 0…3.
  private static func goodChecksums(in image: MemoryImage) -> Int {
    guard let integrity = try? FRAM(image).integrity else {
      return MemoryKind(of: image.bytes.span) == .librePro ? 3 : 0
    }
    return [integrity.header, integrity.body, integrity.footer].count(where: \.isTrusted)
  }
}

// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The real memories beside the repository: people's health data, which is read where it lies and never copied here.
package enum ReferenceDumps {
  /// `LIBRE_REFERENCE_DUMPS`, else `../shared/dumps` beside the repository.
  package static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["LIBRE_REFERENCE_DUMPS"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return root.deletingLastPathComponent().appendingPathComponent("shared/dumps", isDirectory: true)
  }()

  package static let arePresent = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent("INDEX.json").path)

  /// Why tests over them are skipped where the folder is absent.
  package static let absence =
    "the real memories are not at \(folder.path); set LIBRE_REFERENCE_DUMPS to have them tested"

  /// All vectors of INDEX.json; none where the folder is absent or the index cannot be read.
  package static var vectors: [ReferenceVector] { index.vectors }

  /// Why the index could not be read.
  package static var failure: String? { index.failure }

  private static let index: (vectors: [ReferenceVector], failure: String?) = {
    guard arePresent else { return ([], nil) }
    do {
      let data = try Data(contentsOf: folder.appendingPathComponent("INDEX.json"))
      return (try JSONDecoder().decode(ReferenceIndex.self, from: data).vectors, nil)
    } catch {
      return ([], "\(error)")
    }
  }()

  package static func bytes(of file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(file)))
  }

  // MARK: What came later

  /// Memories that were found later, some with official values, and reads of one sensor: beside the folder.
  package static let laterFolder = folder.deletingLastPathComponent().appendingPathComponent("dumps-more")
  package static let seriesFile = folder.deletingLastPathComponent().appendingPathComponent("series/libre1.hex")

  package static let areLaterPresent =
    arePresent && FileManager.default.fileExists(atPath: laterFolder.appendingPathComponent("INDEX.json").path)
  package static let isSeriesPresent = FileManager.default.fileExists(atPath: seriesFile.path)

  /// The entries of both indices, each with the path of its memory; none where a folder is absent.
  package static func entries() throws -> [(path: String, facts: JSONValue)] {
    try [folder, laterFolder].flatMap { folder -> [(String, JSONValue)] in
      let index = folder.appendingPathComponent("INDEX.json")
      guard FileManager.default.fileExists(atPath: index.path) else { return [] }
      return try JSONValue(parsing: [UInt8](Data(contentsOf: index)))["vectors"].elements.compactMap { facts in
        facts["file"].text.map { (folder.appendingPathComponent($0).path, facts) }
      }
    }
  }
}

private struct ReferenceIndex: Decodable {
  let vectors: [ReferenceVector]
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// One dump of SensorDumps/libre1 with the document beside it.
struct Vector: CustomTestStringConvertible, Hashable, Sendable {
  let file: String

  var testDescription: String { file }

  var isRejected: Bool { file.hasPrefix("x-") }

  var dump: URL { Repository.dumps.appendingPathComponent(file) }
  var expectation: URL {
    dump.deletingPathExtension().deletingPathExtension().appendingPathExtension("expected.json")
  }

  /// All of them; none where the folder cannot be read, which `VectorTests` takes for the failure that it is.
  static let all: [Vector] = names.filter { $0.hasSuffix(".hex") }.map(Vector.init)

  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: Repository.dumps.path)) ?? []).sorted()
}

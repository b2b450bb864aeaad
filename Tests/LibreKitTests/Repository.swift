// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Where the files beside the sources are.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static let dumps = root.appendingPathComponent("SensorDumps/libre1", isDirectory: true)

  static func bytes(at url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }
}

// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The files next to the sources.
package enum Repository {
  /// The directory above this file that holds `SensorDumps`, however it is reached (`tools/Fuzz` has it behind a link).
  package static let root: URL = {
    var directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while directory.path != "/", !FileManager.default.fileExists(atPath: directory.path + "/SensorDumps/libre1") {
      directory = directory.deletingLastPathComponent()
    }
    return directory
  }()

  package static let dumps = root.appendingPathComponent("SensorDumps/libre1", isDirectory: true)

  package static func bytes(at url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }
}

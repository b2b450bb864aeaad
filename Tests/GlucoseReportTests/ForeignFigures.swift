// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Figures of other people's programs, which ours are compared with, as they were kept in Figures.
enum ForeignFigures {
  /// Whether the recorded figures are to be written again.
  static let areKeptAnew = ProcessInfo.processInfo.environment["LIBRE_KEEP_FIGURES"] != nil

  static func kept(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Figures/\(name).json")
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// How many of a memory's three checksums hold: what decides which reading of a file is the right one.
extension CheckedImage {
  /// 0…3, of a Libre 1's three or of another layout's.
  var goodChecksums: Int { verdicts.count(where: \.self) }

  /// True if the samples' region holds: such a memory decodes.
  var holdsSamples: Bool { verdicts[1] }

  /// True if it is a scan, even one that is damaged or cut off, and not a part of a memory, a command's output, or encrypted.
  var isScan: Bool { verdicts[..<2].contains(true) }

  /// Of header, body and footer.
  private var verdicts: [Bool] {
    if case .other = kind { return [true, true, true] }
    return fram.integrity.verdicts.map(\.isTrusted)
  }
}

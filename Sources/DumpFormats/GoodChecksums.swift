// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// How many of a memory's three checksums hold: what decides which reading of a file is the right one.
enum GoodChecksums {
  /// 0…3, of a Libre 1's three or of another layout's.
  static func count(in image: MemoryImage) -> Int { verdicts(on: image).count(where: \.self) }

  /// True if the samples' region holds: such a memory decodes.
  static func holdsSamples(_ image: MemoryImage) -> Bool { verdicts(on: image)[1] }

  /// True if it is a scan, even one that is damaged or cut off, and not a part of a memory, a command's output, or encrypted.
  static func isScan(_ image: MemoryImage) -> Bool { verdicts(on: image)[..<2].contains(true) }

  /// Of header, body and footer.
  private static func verdicts(on image: MemoryImage) -> [Bool] {
    let verdicts = (try? FRAM(image.whole))?.integrity.verdicts.map(\.isTrusted) ?? []
    if verdicts.contains(true) { return verdicts }
    if case .other = MemoryKind(of: image.bytes.span) { return [true, true, true] }
    return [false, false, false]
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// How many of a memory's three checksums hold: what decides which reading of a file is the right one.
enum GoodChecksums {
  /// 0…3; also of a Libre Pro's three, and of what a short or gappy image has.
  static func count(in image: MemoryImage) -> Int { verdicts(on: image).count(where: \.self) }

  /// True if the samples' region holds: such a memory decodes.
  static func holdsSamples(_ image: MemoryImage) -> Bool { verdicts(on: image)[1] }

  /// Of header, body and footer.
  private static func verdicts(on image: MemoryImage) -> [Bool] {
    guard let integrity = try? FRAM(image).integrity else {
      return Array(repeating: MemoryKind(of: image.bytes.span) == .librePro, count: 3)
    }
    return [integrity.header, integrity.body, integrity.footer].map(\.isTrusted)
  }
}

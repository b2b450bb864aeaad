// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// How many of a memory's three checksums hold: what decides which reading of a file is the right one.
enum GoodChecksums {
  /// 0…3; also of a Libre Pro's three, and of what a short or gappy image has.
  static func count(in image: MemoryImage) -> Int {
    guard let integrity = try? FRAM(image).integrity else {
      return MemoryKind(of: image.bytes.span) == .librePro ? 3 : 0
    }
    return [integrity.header, integrity.body, integrity.footer].count(where: \.isTrusted)
  }
}

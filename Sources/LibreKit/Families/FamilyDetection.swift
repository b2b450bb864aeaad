// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// Which product a memory belongs to: patch info first, then the UID's third byte and the footer's constants.
enum FamilyDetection {
  /// The family of a memory that could be read.
  static func family(of image: MemoryImage, footer: SensorFamily?) -> SensorFamily {
    // Three checksums in places of its own are more than anybody's word.
    if footer == .librePro { return .librePro }
    switch image.patchInfo?.family {
    // Readable all the same: somebody has decrypted it, and it is a Libre 2 (CONTRACT 3 has one word for both).
    case .libre2Generation2: return .libre2
    case .libre1: return .libre1
    case .libreUS14Day: return .libreUS14Day
    case .libre2: return .libre2
    // A memory of this layout is none of theirs, whatever the patch info says.
    case .librePro, .libre3, .libreSense, .lingo, .unknown, nil: break
    }
    switch (footer, image.uid?.product) {
    case (let footer?, nil): return footer
    case (.libre1, 0xA0), (nil, 0xA0): return .libre1
    case (.libreUS14Day, 0xA0): return .libreUS14Day
    case (.libre2, 0xA4), (nil, 0xA4): return .libre2
    default: return .unknown
    }
  }

  /// Why a memory in which no checksum holds cannot be read, where there is no key to try.
  static func refusal(of image: MemoryImage) -> MemoryError {
    guard let patchInfo = image.patchInfo else {
      // Only Libre 2 has this UID (verified on the reference memories), and it always encrypts.
      return image.uid?.product == 0xA4 ? .encryptedWithoutPatchInfo(.libre2) : .encryptedOrUnknown
    }
    let family = patchInfo.family
    if !family.isReadable { return .unsupportedFamily(family) }
    return family.isEncrypted && image.uid == nil ? .encryptedWithoutUID(family) : .encryptedOrUnknown
  }
}

// SPDX-License-Identifier: Apache-2.0
package import CGMModel

extension SensorFamily {
  /// The product of a readable memory with the layout of a Libre 1: by patch info, else by the UID's third byte and
  /// `footer`, the family with the footer's constants.
  package init(ofPlain footer: SensorFamily?, uid: SensorUID?, patchInfo: PatchInfo?) {
    switch patchInfo?.family {
    // A patch info of another family must be wrong, because the memory has this layout.
    case .libre1: self = .libre1
    case .libreUS14Day: self = .libreUS14Day
    // It is readable, so it was decrypted before; documents have one name for both generations of Libre 2.
    case .libre2, .libre2Generation2: self = .libre2
    case .librePro, .libre3, .libreSense, .lingo, .unknown, nil:
      switch (footer, uid?.product) {
      case (let footer?, nil): self = footer
      case (.libre1, 0xA0), (nil, 0xA0): self = .libre1
      case (.libreUS14Day, 0xA0): self = .libreUS14Day
      case (.libre2, 0xA4), (nil, 0xA4): self = .libre2
      default: self = .unknown
      }
    }
  }
}

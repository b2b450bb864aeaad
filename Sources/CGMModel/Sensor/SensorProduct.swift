// SPDX-License-Identifier: Apache-2.0

/// A product by the name on its box, which the patch info tells. A family may hold several (Libre1Core/MemoryFormat,
/// "Patch info").
package enum SensorProduct: Hashable, Sendable, CaseIterable {
  case libre
  case libreUS14Day
  case librePro
  case libre2
  case libre2Plus
  case libre2US
  case libre2Canada
  case libre2Russia
  case libre2PlusUS
  case libre2PlusLatinAmerica
  case libreSense
  case libre3
  case libre3Plus
  case libreSelect
  case libreX
  case lingo
  case instinct

  /// The product with this patch info; nil where none is known.
  package init?(_ info: PatchInfo) {
    if info.count == 24 {
      // The product's type, the part of a region, and the generation.
      switch (info[12], info[3], info[4], info[5]) {
      case (4, 0, 0, 0): self = .libre3
      case (4, 0, 1, 0): self = .libre3Plus
      case (4, 0xC0, _, _): self = .libreSelect
      case (5, _, _, _): self = .libreX
      case (9, _, _, _): self = .lingo
      case (10, _, _, _): self = .instinct
      default: return nil
      }
      return
    }
    switch (info[0], info[1], info[2], info[3]) {
    case (0xDF, _, _, _), (0xA2, _, _, _): self = .libre
    case (0xE5, _, _, _), (0xE6, _, _, _): self = .libreUS14Day
    case (0x70, _, _, _): self = .librePro
    case (0x9D, 0x08, 0x30, _), (0xC5, 0x09, 0x30, _), (0x7F, 0x0E, 0x30, _): self = .libre2
    case (0xC6, 0x09, 0x31, _), (0x7F, 0x0E, 0x31, _): self = .libre2Plus
    case (0x76, 0x09, 0x39, 2): self = .libre2US
    case (0x76, 0x09, 0x39, 4): self = .libre2Canada
    case (0x76, 0x09, 0x79, _): self = .libreSense
    case (0x2B, 0x0A, 0x39, 8): self = .libre2Russia
    case (0x2B, 0x0A, 0x3A, 8): self = .libre2PlusLatinAmerica
    case (0x2C, 0x0A, 0x3A, 2): self = .libre2PlusUS
    default: return nil
    }
  }

  /// The product of a sensor of this family. A patch info of another family is wrong: the memory is better evidence.
  package init?(_ patchInfo: PatchInfo?, of family: SensorFamily) {
    guard let patchInfo else { return nil }
    // Documents have one name for both generations of a decrypted Libre 2.
    let isSame = patchInfo.family == family || (patchInfo.family == .libre2Generation2 && family == .libre2)
    guard isSame, let product = Self(patchInfo) else { return nil }
    self = product
  }

  package var name: String { text.description }

  package var text: StaticString { facts.name }

  /// True if only one program, DiaBLE, says that this patch info is this product. Of the others it is known from several
  /// programs, or from people who have read such a sensor.
  package var isOfOneSource: Bool { facts.sources == .one }

  private enum Sources { case one, several }

  private var facts: (name: StaticString, sources: Sources) {
    switch self {
    case .libre: ("FreeStyle Libre", .several)
    case .libreUS14Day: ("FreeStyle Libre 14 day (US)", .several)
    case .librePro: ("FreeStyle Libre Pro", .several)
    case .libre2: ("FreeStyle Libre 2", .several)
    case .libre2Plus: ("FreeStyle Libre 2 Plus", .several)
    case .libre2US: ("FreeStyle Libre 2 (US)", .one)
    case .libre2Canada: ("FreeStyle Libre 2 (Canada)", .one)
    case .libre2Russia: ("FreeStyle Libre 2 (Russia)", .one)
    case .libre2PlusUS: ("FreeStyle Libre 2 Plus (US)", .one)
    case .libre2PlusLatinAmerica: ("FreeStyle Libre 2 Plus (Latin America)", .one)
    case .libreSense: ("Libre Sense", .one)
    case .libre3: ("FreeStyle Libre 3", .several)
    case .libre3Plus: ("FreeStyle Libre 3 Plus", .one)
    case .libreSelect: ("Libre Select (France)", .one)
    case .libreX: ("Libre X", .one)
    case .lingo: ("Lingo", .several)
    case .instinct: ("Instinct", .one)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import SensorCipher

/// Which blocks of a sensor are to be read, in sections of which each can be read again by itself, and what their
/// checksums say: one case for each way in which a family shows its memory.
enum ReadSections: Hashable {
  /// Header, body, footer of a Libre 1. So is read what is of no known family.
  case libre1
  /// The same, encrypted: Libre 2 and US 14 day.
  case encrypted(MemoryCipher)
  /// The same blocks, whose checksums tell nothing: the key or the layout is not known.
  case unreadable
  /// Header, footer, body of a Libre Pro, then as much history as its body counts.
  case librePro

  init(patchInfo: PatchInfo, uid: SensorUID?) {
    switch patchInfo.family {
    case .libre1, .unknown: self = .libre1
    case .librePro: self = .librePro
    case .libre2, .libreUS14Day:
      // A UID that was withheld from a recording is no key.
      let cipher = uid.flatMap { $0.isWithheld ? nil : MemoryCipher(uid: $0, patchInfo: patchInfo) }
      self = cipher.map(Self.encrypted) ?? .unreadable
    case .libre2Generation2, .libre3, .libreSense, .lingo: self = .unreadable
    }
  }

  /// The sections, in the order in which they are read, as far as what was read so far tells.
  func sections(of image: MemoryImage) -> [Range<Int>] {
    switch self {
    case .libre1, .encrypted, .unreadable: MemoryMap.regions.map(\.blocks)
    case .librePro:
      LibreProMap.regions.map(\.blocks) + [LibreProMap.historyBlocks(count: historyCount(of: image))]
    }
  }

  /// The first block of the history, which no checksum covers and whose end only the sensor knows; nil where there is
  /// no such section.
  var history: Int? {
    switch self {
    case .libre1, .encrypted, .unreadable: nil
    case .librePro: LibreProMap.blockCount
    }
  }

  /// The body, which says of what minute the memory is.
  var body: MemoryMap.Region {
    switch self {
    case .libre1, .encrypted, .unreadable: MemoryMap.body
    case .librePro: LibreProMap.body
    }
  }

  /// What the body says of its minute in a way that tells which records were written since; nil where all of it has to
  /// be read again.
  func minuteMark(in image: MemoryImage) -> MinuteMark? {
    switch self {
    case .libre1, .encrypted: MinuteMark(plain(image).bytes)
    case .unreadable, .librePro: nil
    }
  }

  /// Regions whose checksum does not hold though all their blocks are there.
  func damagedRegions(of image: MemoryImage) -> [MemoryMap.Region] {
    switch self {
    case .libre1, .encrypted:
      guard let integrity = try? FRAM(plain(image)).integrity else { return [] }
      return Self.bad([
        (MemoryMap.header, integrity.header), (MemoryMap.body, integrity.body), (MemoryMap.footer, integrity.footer),
      ])
    case .unreadable: return []
    case .librePro:
      guard let integrity = try? LibreProFRAM(image).integrity else { return [] }
      return Self.bad([
        (LibreProMap.header, integrity.header), (LibreProMap.footer, integrity.footer),
        (LibreProMap.body, integrity.body),
      ])
    }
  }

  private static func bad(_ verdicts: [(MemoryMap.Region, RegionVerdict)]) -> [MemoryMap.Region] {
    verdicts.compactMap { region, verdict in
      switch verdict {
      case .bad: region
      case .ok, .torn, .absent: nil
      }
    }
  }

  /// 0 until a body is there that holds.
  private func historyCount(of image: MemoryImage) -> Int {
    (try? LibreProFRAM(image).validated())?.historyCount ?? 0
  }

  private func plain(_ image: MemoryImage) -> MemoryImage {
    guard case .encrypted(let cipher) = self else { return image }
    var image = image
    image.bytes = cipher.applied(to: image.bytes, missing: BlockSet(image.missingBlocks))
    return image
  }
}

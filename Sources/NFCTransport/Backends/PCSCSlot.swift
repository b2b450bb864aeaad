// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CPCSC

  /// A reader as PC/SC lists it, one slot of a device, and what was last seen on it.
  struct PCSCSlot: Hashable, Sendable {
    let name: String
    /// PC/SC's flags, and above them a counter of events; 0 if it was not looked at yet.
    var flags: UInt = 0
    /// The card's answer to reset; empty without a card.
    var atr: [UInt8] = []

    /// A card that does not answer its reset is not there yet: nothing can be asked of it.
    var hasCard: Bool { has(LIBRE_PCSC_STATE_PRESENT) && !has(LIBRE_PCSC_STATE_MUTE) && !atr.isEmpty }

    var isEmpty: Bool { has(LIBRE_PCSC_STATE_EMPTY) }

    /// The same for whoever lists the readers.
    var found: FoundReader {
      FoundReader(address: .pcsc(name: name), name: name, presence: presence)
    }

    private var presence: FoundReader.Presence {
      if has(LIBRE_PCSC_STATE_EXCLUSIVE) { return .busy }
      if isEmpty { return .nothing }
      guard hasCard else { return .unknown }
      switch AnswerToReset(atr).verdict {
      case .iso15693: return .iso15693
      case .otherCard: return .otherCard
      case .undecided: return .unknown
      }
    }

    private func has(_ flag: UInt) -> Bool { flags & flag != 0 }
  }
#endif

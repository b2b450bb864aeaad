// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CPCSC

  /// A reader as PC/SC lists it (one slot of a device) and the state last seen.
  struct PCSCSlot: Hashable, Sendable {
    let name: String
    /// PC/SC's flags with a counter of events above them; 0 before the first check.
    var flags: UInt = 0
    /// The card's answer to reset; empty without a card.
    var atr: [UInt8] = []

    /// True if a card is present and answered its reset: nothing can be asked of any other.
    var hasCard: Bool { has(LIBRE_PCSC_STATE_PRESENT) && !has(LIBRE_PCSC_STATE_MUTE) && !atr.isEmpty }

    var isEmpty: Bool { has(LIBRE_PCSC_STATE_EMPTY) }

    /// The reader and its state, in the form of every backend.
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

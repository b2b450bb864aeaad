// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CPCSC

  /// Status code returned by a PC/SC call.
  ///
  /// Seen on pcsc-lite 1.9.9, except where marked:
  ///
  /// | status | when | here |
  /// |---|---|---|
  /// | 8010001D, 8010001E, 80100013 | the service does not run, stops or dies | `noDaemon` |
  /// | 8010006A | polkit refuses (read) | `accessDenied` |
  /// | 8010002E | no reader is plugged in | `noReader` |
  /// | 8010000C, 80100069 | no card, or the card was removed | `tagLost` |
  /// | 80100016 | an exchange after the card was pulled | `tagLost` |
  /// | 80100066, 80100067, 80100068 | the card does not answer, has no power, was reset by others (read) | `tagLost` |
  /// | 8010000B | another program has the card | `readerBusy` |
  /// | 80100017, 80100009 | the reader was unplugged | `readerUnplugged` |
  /// | 80100002 | the wait was cancelled | `cancelled` |
  /// | 8010000A | the wait is over | `noTag` |
  /// | any other | | `readerFailed` |
  struct PCSCStatus: Hashable, Sendable {
    let code: Int

    /// Returns the error for this status at the reader of this name; nil for success. `words`: the library's text for a
    /// code.
    func error(at reader: String, words: (Int) -> String) -> TransportError? {
      switch code {
      case LIBRE_PCSC_SUCCESS: nil
      case LIBRE_PCSC_NO_SERVICE, LIBRE_PCSC_SERVICE_STOPPED, LIBRE_PCSC_COMMUNICATION_FAILED: .noDaemon
      case LIBRE_PCSC_SECURITY_VIOLATION: .accessDenied
      case LIBRE_PCSC_NO_READERS: .noReader
      case LIBRE_PCSC_NO_CARD, LIBRE_PCSC_REMOVED_CARD, LIBRE_PCSC_NOT_TRANSACTED, LIBRE_PCSC_UNRESPONSIVE_CARD,
        LIBRE_PCSC_UNPOWERED_CARD, LIBRE_PCSC_RESET_CARD:
        .tagLost(block: nil)
      case LIBRE_PCSC_SHARING_VIOLATION: .readerBusy(name: reader)
      case LIBRE_PCSC_READER_UNAVAILABLE, LIBRE_PCSC_UNKNOWN_READER: .readerUnplugged(name: reader)
      case LIBRE_PCSC_CANCELLED: .cancelled
      case LIBRE_PCSC_TIMEOUT: .noTag
      default: .readerFailed(name: reader, reason: "0x\(String(code, radix: 16, uppercase: true)) \(words(code))")
      }
    }
  }
#endif

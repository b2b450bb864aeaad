// SPDX-License-Identifier: Apache-2.0

/// Reason for a missing answer, as one word of a recording.
///
/// Keeps the kind of a `TransportError` and drops names, reasons and answers to reset, which may identify the reader's
/// or card's owner.
package enum TraceFailure: String, Hashable, Sendable, CaseIterable {
  case silent
  case lost
  case malformed
  case cancelled
  case noTag = "no-tag"
  case otherCard = "other-card"
  case unplugged
  case busy
  case readerSilent = "reader-silent"
  /// Any failure without its own word.
  case failed
  case lacks15693 = "lacks-iso15693"
  case fourByteBlocks = "four-byte-blocks"
  case noReader = "no-reader"
  case noDaemon = "no-daemon"
  case accessDenied = "access-denied"

  init(_ error: TransportError) {
    self =
      switch error {
      case .tagSilent: .silent
      case .tagLost: .lost
      case .malformedResponse: .malformed
      case .cancelled: .cancelled
      case .noTag: .noTag
      case .otherCard: .otherCard
      case .readerUnplugged: .unplugged
      case .readerBusy, .port(_, .busy): .busy
      case .readerSilent: .readerSilent
      case .readerLacks15693: .lacks15693
      case .fourByteBlocks: .fourByteBlocks
      case .noReader, .noReaderNamed: .noReader
      case .noDaemon: .noDaemon
      case .accessDenied, .port(_, .denied): .accessDenied
      case .readerFailed, .readerUnfit, .flipperFile, .port(_, .missing), .port(_, .notSerial), .unknownAddress,
        .notInThisBuild, .fileUnreadable, .badTrace, .traceTooLong, .traceEnded, .libraryMissing, .otherTag, .tag:
        .failed
      }
  }

  /// Returns the error that was thrown in place of an answer to `request`, with the name of the recorded reader.
  func error(to request: ISO15693.Request, reader name: String) -> TransportError {
    switch self {
    case .silent: .tagSilent(block: request.firstBlock)
    case .lost: .tagLost(block: request.firstBlock)
    case .malformed: .malformedResponse(to: request, length: 0)
    case .cancelled: .cancelled
    case .noTag: .noTag
    case .otherCard: .otherCard(atr: [])
    case .unplugged: .readerUnplugged(name: name)
    case .busy: .readerBusy(name: name)
    case .readerSilent: .readerSilent(name: name)
    case .failed: .readerFailed(name: name, reason: "the recording does not contain the reason")
    case .lacks15693: .readerLacks15693(name: name)
    case .fourByteBlocks: .fourByteBlocks(name: name)
    case .noReader: .noReader
    case .noDaemon: .noDaemon
    case .accessDenied: .accessDenied
    }
  }
}

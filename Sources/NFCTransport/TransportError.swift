// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Why a sensor could not be read. The culprit is the air, the reader or its set-up, never the bytes.
public enum TransportError: Error, Hashable, Sendable {
  // MARK: The address

  /// Not the address of a reader, or one that leads nowhere.
  case unknownAddress(String)
  /// This build was made without the part that reaches such readers.
  case notInThisBuild(scheme: String)
  /// A recorded or simulated sensor's file that cannot be read: the operating system's or the format's words.
  case fileUnreadable(path: String, reason: String)
  /// A line of a recording that says nothing.
  case badTrace(line: Int)
  /// A recording of more than `Trace.mostLines` lines.
  case traceTooLong
  /// The recording holds no further answer to this request.
  case traceEnded(ISO15693.Request)

  // MARK: The system

  /// A shared library that is not installed: `libpcsclite.so.1`.
  case libraryMissing(String)
  /// The PC/SC service does not run, or went away.
  case noDaemon
  /// The system does not let this user have the reader.
  case accessDenied

  // MARK: The reader

  /// No reader is plugged in.
  case noReader
  /// Readers are there, but none whose name contains this.
  case noReaderNamed(String, present: [String])
  /// The reader works but does not speak ISO 15693.
  case readerLacks15693(name: String)
  /// The reader cuts each block of eight bytes down to four.
  case fourByteBlocks(name: String)
  /// Another program has the reader for itself.
  case readerBusy(name: String)
  case readerUnplugged(name: String)
  /// The reader or its driver did not come back within the deadline of an exchange.
  case readerSilent(name: String)
  /// The reader or its driver failed, in its own words.
  case readerFailed(name: String, reason: String)

  // MARK: The tag

  /// No tag came in time.
  case noTag
  /// A tag that no maker of sensors made.
  case otherTag(SensorUID)
  /// A card of another kind: a bank card, a pass. Its answer to reset.
  case otherCard(atr: [UInt8])
  /// The reader works, but the tag does not answer; at which block, if blocks were being read.
  case tagSilent(block: Int?)
  /// The tag was taken away; at which block, if blocks were being read.
  case tagLost(block: Int?)
  /// The tag answered that it will not; at which block, if blocks were being read.
  case tag(TagError, block: Int?)
  /// The answer to a request is no answer that it can have.
  case malformedResponse(to: ISO15693.Request, length: Int)

  /// The user, or the program, gave up.
  case cancelled
}

extension TransportError {
  /// True if the next tap would fail for the same reason: the way to the reader is at fault, not the tag.
  public var isLasting: Bool {
    switch self {
    case .unknownAddress, .notInThisBuild, .fileUnreadable, .badTrace, .traceTooLong, .traceEnded, .libraryMissing,
      .noDaemon, .accessDenied, .noReader, .noReaderNamed, .readerLacks15693, .fourByteBlocks, .readerBusy,
      .readerUnplugged, .readerSilent, .readerFailed, .cancelled:
      true
    case .noTag, .otherTag, .otherCard, .tagSilent, .tagLost, .tag, .malformedResponse: false
    }
  }
}

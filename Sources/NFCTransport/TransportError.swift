// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Why a sensor could not be read. The culprit is the air, the reader or its set-up, never the bytes.
public enum TransportError: ExplainedError {
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

extension TransportError {
  public var explanation: ErrorExplanation {
    switch self {
    case .unknownAddress(let address):
      ErrorExplanation(
        "unknown_address", "\(address) is the address of no reader",
        "libre readers lists yours; sim:active is a simulated sensor, replay:TRACE a recorded one")
    case .notInThisBuild(let scheme):
      ErrorExplanation(
        "not_in_this_build", "this libre was built without the part that reaches \(scheme): readers",
        "build it with its default traits: make release")
    case .fileUnreadable(let path, let reason):
      ErrorExplanation("file_unreadable", "\(path) cannot be read: \(reason)", "check the path and your rights to it")
    case .badTrace(let line):
      ErrorExplanation(
        "bad_trace", "line \(line) of the trace is no exchange (request in hex -> answer in hex)",
        "mend that line or comment it out with #; libre read --trace FILE records a new one")
    case .traceTooLong:
      ErrorExplanation(
        "trace_too_long", "the trace has more than \(Trace.mostLines) lines", "cut it: a scan begins with # tap")
    case .traceEnded(let request):
      ErrorExplanation(
        "trace_ended", "the trace holds no further answer to \(request.words)",
        "record a whole read with libre read --trace FILE")

    case .libraryMissing(let name):
      ErrorExplanation(
        "library_missing", "the library \(name) is not installed",
        name.contains("nfc") ? "sudo apt install libnfc6" : "sudo apt install libpcsclite1 pcscd")
    case .noDaemon:
      ErrorExplanation("no_daemon", "the PC/SC service (pcscd) is not running", "libre doctor shows how to start it")
    case .accessDenied:
      ErrorExplanation("access_denied", "you may not use the reader", "libre doctor shows how to get access")

    case .noReader:
      ErrorExplanation(
        "no_reader", "no NFC reader is plugged in",
        "plug one in; libre readers --supported lists those that work, sim:active is a simulated sensor")
    case .noReaderNamed(let part, let present):
      ErrorExplanation(
        "no_reader_named",
        "no reader's name contains \(part); there \(present.count == 1 ? "is" : "are") \(list(present))",
        "choose a part of one of these names: --reader pcsc:NAME-PART")
    case .readerLacks15693(let name):
      ErrorExplanation(
        "reader_lacks_15693", "the reader \(name) cannot read ISO 15693 tags, which sensors are",
        "libre readers --supported lists readers that can")
    case .fourByteBlocks(let name):
      ErrorExplanation(
        "four_byte_blocks", "the reader \(name) cuts the sensor's blocks of 8 bytes down to 4",
        "look for newer firmware, or use another reader: libre readers --supported")
    case .readerBusy(let name):
      ErrorExplanation(
        "reader_busy", "another program is using the reader \(name)",
        "end that program and read again; for a PC/SC reader it is often gpg's: gpgconf --kill scdaemon")
    case .readerUnplugged(let name):
      ErrorExplanation("reader_unplugged", "the reader \(name) was unplugged", "plug it in and read again")
    case .readerSilent(let name):
      ErrorExplanation(
        "reader_silent", "the reader \(name) does not answer any more", "unplug it, plug it in and read again")
    case .readerFailed(let name, let reason):
      ErrorExplanation(
        "reader_failed", "the reader \(name) failed: \(reason)",
        "check the address, unplug the reader and plug it in; libre doctor tells more")

    case .noTag:
      ErrorExplanation("no_tag", "no sensor came in time", "hold the sensor flat on the reader and read again")
    case .otherTag(let uid):
      ErrorExplanation(
        "other_tag",
        "the tag on the reader is no sensor: manufacturer \(HexText.string(of: uid.manufacturer)) makes none",
        "take other tags away, and hold the sensor on the reader")
    case .otherCard:
      ErrorExplanation(
        "other_card", "the card on the reader is of another kind than sensors are (no ISO 15693 tag)",
        "take other cards away, and hold the sensor on the reader")
    case .tagSilent(let block):
      ErrorExplanation(
        "tag_silent", "the sensor does not answer\(block.map { ", last asked for block \($0)" } ?? "")",
        "move it a little on the reader, hold it still and read again")
    case .tagLost(let block):
      ErrorExplanation(
        "tag_lost", "the sensor was taken away\(block.map { " at block \($0)" } ?? "")",
        "hold it still on the reader until the read is done")
    case .tag(let error, let block):
      ErrorExplanation(
        "tag_refused",
        "the sensor refused\(block.map { " block \($0)" } ?? "") with error \(HexText.string(of: error.code)) (\(error.words))",
        "read again; if it stays so, please report it with a --trace")
    case .malformedResponse(let request, let length):
      ErrorExplanation(
        "malformed_response", "\(length) bytes are no answer to \(request.words)",
        "hold the sensor still on the reader and read again; if it stays so, please report it with a --trace")

    case .cancelled: ErrorExplanation("interrupted", "interrupted; nothing was kept", "read again")
    }
  }

  public var exitStatus: Int32 {
    switch self {
    case .unknownAddress: 64
    case .badTrace, .traceTooLong, .traceEnded, .otherTag, .otherCard: 65
    case .fileUnreadable: 66
    case .notInThisBuild, .libraryMissing, .noDaemon, .noReader, .noReaderNamed, .readerLacks15693, .fourByteBlocks,
      .readerBusy, .readerUnplugged, .readerSilent, .readerFailed, .noTag, .tagSilent, .tagLost, .tag,
      .malformedResponse:
      69
    case .accessDenied: 77
    case .cancelled: 130
    }
  }

  private func list(_ names: [String]) -> String { names.isEmpty ? "no other" : names.joined(separator: ", ") }
}

extension ISO15693.Request {
  /// What was asked, as the end of a sentence.
  fileprivate var words: String {
    switch self {
    case .inventory: "the question for its UID"
    case .systemInformation: "the question for its size"
    case .readBlock(let block): "the read of block \(block)"
    case .readBlocks(let run): "the read of blocks \(run.first) to \(run.first + run.count - 1)"
    case .patchInfo: "the question for its patch info"
    case .readWideBlock(let block, _): "the read of block \(block)"
    case .readWideBlocks(let run, _): "the read of blocks \(run.first) to \(Int(run.first) + Int(run.count) - 1)"
    }
  }
}

extension TagError {
  /// What the code means.
  fileprivate var words: String {
    switch self {
    case .notSupported: "it does not know the command"
    case .formatError: "it does not understand the request"
    case .optionNotSupported: "it does not know the option"
    case .unspecified: "it does not say why"
    case .blockNotAvailable: "there is no such block"
    case .alreadyLocked: "already locked"
    case .locked: "locked"
    case .writeFailed: "not written"
    case .lockFailed: "not locked"
    case .custom: "a code of its maker's own"
    case .unknown: "a code that nobody has described"
    }
  }
}

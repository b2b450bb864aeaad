// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport

extension TransportError {
  var explanation: Explanation {
    switch self {
    case .unknownAddress(let address):
      Explanation(
        "unknown_address", "\(address) is the address of no reader",
        "libre readers lists yours; sim:active is a simulated sensor, replay:TRACE a recorded one")
    case .notInThisBuild(let scheme):
      Explanation(
        "not_in_this_build", "this libre was built without the part that reaches \(scheme): readers",
        "build it with its default traits: make release")
    case .fileUnreadable(let path, let reason):
      Explanation("file_unreadable", "\(path) cannot be read: \(reason)", "check the path and your rights to it")
    case .badTrace(let line):
      Explanation(
        "bad_trace", "line \(line) of the trace is no exchange (request in hex -> answer in hex)",
        "mend that line or comment it out with #; libre read --trace FILE records a new one")
    case .traceTooLong:
      Explanation(
        "trace_too_long", "the trace has more than \(Trace.mostLines) lines", "cut it: a scan begins with # tap")
    case .traceEnded(let request):
      Explanation(
        "trace_ended", "the trace holds no further answer to \(request.words)",
        "record a whole read with libre read --trace FILE")

    case .libraryMissing(let name):
      Explanation(
        "library_missing", "the library \(name) is not installed",
        name.contains("nfc") ? "sudo apt install libnfc6" : "sudo apt install libpcsclite1 pcscd")
    case .noDaemon:
      Explanation("no_daemon", "the PC/SC service (pcscd) is not running", "libre doctor shows how to start it")
    case .accessDenied:
      Explanation("access_denied", "you may not use the reader", "libre doctor shows how to get access")

    case .noReader:
      Explanation(
        "no_reader", "no NFC reader is plugged in",
        "plug one in; libre readers --supported lists those that work, sim:active is a simulated sensor")
    case .noReaderNamed(let part, let present):
      Explanation(
        "no_reader_named",
        "no reader's name contains \(part); there \(present.count == 1 ? "is" : "are") \(list(present))",
        "choose a part of one of these names: --reader pcsc:NAME-PART")
    case .readerLacks15693(let name):
      Explanation(
        "reader_lacks_15693", "the reader \(name) cannot read ISO 15693 tags, which sensors are",
        "libre readers --supported lists readers that can")
    case .fourByteBlocks(let name):
      Explanation(
        "four_byte_blocks", "the reader \(name) cuts the sensor's blocks of 8 bytes down to 4",
        "look for newer firmware, or use another reader: libre readers --supported")
    case .readerBusy(let name):
      Explanation(
        "reader_busy", "another program is using the reader \(name)",
        "end that program and read again; for a PC/SC reader it is often gpg's: gpgconf --kill scdaemon")
    case .readerUnplugged(let name):
      Explanation("reader_unplugged", "the reader \(name) was unplugged", "plug it in and read again")
    case .readerSilent(let name):
      Explanation(
        "reader_silent", "the reader \(name) does not answer any more", "unplug it, plug it in and read again")
    case .readerFailed(let name, let reason):
      Explanation(
        "reader_failed", "the reader \(name) failed: \(reason)",
        "check the address, unplug the reader and plug it in; libre doctor tells more")

    case .noTag:
      Explanation("no_tag", "no sensor came in time", "hold the sensor flat on the reader and read again")
    case .otherTag(let uid):
      Explanation(
        "other_tag",
        "the tag on the reader is no sensor: manufacturer \(HexText.string(of: uid.manufacturer)) makes none",
        "take other tags away, and hold the sensor on the reader")
    case .otherCard:
      Explanation(
        "other_card", "the card on the reader is of another kind than sensors are (no ISO 15693 tag)",
        "take other cards away, and hold the sensor on the reader")
    case .tagSilent(let block):
      Explanation(
        "tag_silent", "the sensor does not answer\(block.map { ", last asked for block \($0)" } ?? "")",
        "move it a little on the reader, hold it still and read again")
    case .tagLost(let block):
      Explanation(
        "tag_lost", "the sensor was taken away\(block.map { " at block \($0)" } ?? "")",
        "hold it still on the reader until the read is done")
    case .tag(let error, let block):
      Explanation(
        "tag_refused",
        "the sensor refused\(block.map { " block \($0)" } ?? "") with error \(HexText.string(of: error.code)) (\(error.words))",
        "read again; if it stays so, please report it with a --trace")
    case .malformedResponse(let request, let length):
      Explanation(
        "malformed_response", "\(length) bytes are no answer to \(request.words)",
        "hold the sensor still on the reader and read again; if it stays so, please report it with a --trace")

    case .cancelled: Explanation("interrupted", "interrupted; nothing was kept", "read again")
    }
  }

  /// CONTRACT 2.
  var exitStatus: Int32 {
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
  var words: String {
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
  var words: String {
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

// SPDX-License-Identifier: Apache-2.0

/// Reason why a sensor could not be read. The cause is the air, the reader or its set-up, never the bytes.
public enum TransportError: ExplainedError {
  // MARK: The address

  /// An invalid reader address, or one that leads nowhere.
  case unknownAddress(String)
  /// This build lacks the backend for such readers.
  case notInThisBuild(scheme: String)
  /// An unreadable file of a recorded or simulated sensor, with the reason given by the operating system or the format.
  case fileUnreadable(path: String, reason: String)
  /// An invalid line of a recording.
  case badTrace(line: Int)
  /// A recording with more than `Trace.maximumLines` lines.
  case traceTooLong
  /// The recording holds no further answer to this request.
  case traceEnded(ISO15693.Request)

  // MARK: The system

  /// A missing shared library: `libpcsclite.so.1`.
  case libraryMissing(String)
  /// The PC/SC service is not running, or stopped.
  case noDaemon
  /// The PC/SC service still shows this reader, which was unplugged or broke down, and finds no other one.
  case serviceStuck(reader: String)
  /// The system denies this user access to the reader.
  case accessDenied

  // MARK: The reader

  /// No reader is plugged in.
  case noReader
  /// No phone was connected to this TCP port at the timeout.
  case noPhone(port: Int)
  /// Readers are present, but no name contains this text.
  case noReaderNamed(String, present: [String])
  /// The reader works but does not support ISO 15693.
  case readerLacks15693(name: String)
  /// The reader truncates each block of eight bytes to four.
  case fourByteBlocks(name: String)
  /// Another program uses the reader exclusively.
  case readerBusy(name: String)
  case readerUnplugged(name: String)
  /// The reader or its driver did not return before the deadline of an exchange.
  case readerSilent(name: String)
  /// The serial port of a reader cannot be used.
  case port(path: String, PortFault)
  /// The reader's state or firmware does not allow reading sensors, with the remedy.
  case readerUnfit(name: String, reason: String, remedy: String)
  /// A file on the card of a Flipper Zero cannot be read, with its own reason.
  case flipperFile(path: String, reason: String)
  /// The reader or its driver failed, with its own reason.
  case readerFailed(name: String, reason: String)

  // MARK: The tag

  /// No tag came before the timeout.
  case noTag
  /// A tag from a manufacturer that makes no sensors.
  case otherTag(SensorUID)
  /// A card of another kind, such as a bank card, with its answer to reset.
  case otherCard(atr: [UInt8])
  /// The reader works, but the tag does not answer; with the block, if blocks were being read.
  case tagSilent(block: Int?)
  /// The tag was taken away; with the block, if blocks were being read.
  case tagLost(block: Int?)
  /// The tag refused a request; with the block, if blocks were being read.
  case tag(TagError, block: Int?)
  /// The answer does not fit the request.
  case malformedResponse(to: ISO15693.Request, length: Int)

  /// The user or the program cancelled.
  case cancelled

  /// Reasons why a serial port cannot be used.
  public enum PortFault: Hashable, Sendable {
    case missing
    /// The group that may use it; nil if no group may.
    case denied(group: String?)
    case busy
    case notSerial
  }
}

extension TransportError {
  /// The thing that has to change before a sensor can be read.
  enum Scope: Hashable, Sendable {
    /// Nothing but the tap: the next one may succeed.
    case tap
    /// The reader, its service or its driver: it may be plugged in, started or freed later.
    case reader
    /// The address, the program or its installation: the same call fails again.
    case call
  }

  var scope: Scope {
    switch self {
    case .noTag, .otherTag, .otherCard, .tagSilent, .tagLost, .tag, .malformedResponse: .tap
    case .noDaemon, .serviceStuck, .accessDenied, .noReader, .noPhone, .noReaderNamed, .readerLacks15693,
      .fourByteBlocks, .readerBusy, .readerUnplugged, .readerSilent, .port, .readerUnfit, .readerFailed:
      .reader
    case .unknownAddress, .notInThisBuild, .fileUnreadable, .badTrace, .traceTooLong, .traceEnded, .libraryMissing,
      .flipperFile, .cancelled:
      .call
    }
  }

  /// True if the reader, or the service through which it is reached, is not there.
  package var isAbsence: Bool {
    switch self {
    case .noReader, .noPhone, .noReaderNamed, .readerUnplugged, .noDaemon, .port(_, .missing): true
    default: false
    }
  }

  /// True if this user may not use the reader.
  var isRefusal: Bool {
    switch self {
    case .accessDenied, .port(_, .denied): true
    default: false
    }
  }

  /// True if nothing that is plugged in or started later helps: the same call fails again.
  package var isPermanent: Bool { scope == .call || isRefusal }
}

extension TransportError {
  public var explanation: (code: String, message: String) {
    switch self {
    case .unknownAddress(let address): ("unknown_address", "invalid reader address \(address)")
    case .notInThisBuild(let scheme): ("not_in_this_build", "this build of libre does not support \(scheme): readers")
    case .fileUnreadable(let path, let reason): ("file_unreadable", "\(path) cannot be read: \(reason)")
    case .badTrace(let line):
      ("bad_trace", "invalid line \(line) of the trace: expected an exchange (request in hex -> answer in hex)")
    case .traceTooLong: ("trace_too_long", "the trace has more than \(Trace.maximumLines) lines")
    case .traceEnded(let request): ("trace_ended", "the trace has no further answer to \(request.summary)")

    case .libraryMissing(let name): ("library_missing", "the library \(name) is not installed")
    case .noDaemon: ("no_daemon", "the PC/SC service (pcscd) is not running")
    case .serviceStuck(let name):
      (
        "service_stuck",
        "the PC/SC service (pcscd) must be restarted: it still shows the reader \(name), which was unplugged or broke down"
      )
    case .accessDenied: ("access_denied", "access to the reader is denied")

    case .noReader: ("no_reader", "no NFC reader is plugged in")
    case .noPhone(let port): ("no_phone", "the app NFCGate is not connected to port \(port)")
    case .noReaderNamed(let part, let present):
      ("no_reader_named", "no reader name contains \(part); found \(list(present))")
    case .readerLacks15693(let name): ("reader_lacks_15693", "the reader \(name) cannot read sensors (ISO 15693 tags)")
    case .fourByteBlocks(let name):
      ("four_byte_blocks", "the reader \(name) returns only 4 of the 8 bytes of each block")
    case .readerBusy(let name): ("reader_busy", "another program is using the reader \(name)")
    case .readerUnplugged(let name): ("reader_unplugged", "the reader \(name) was unplugged")
    case .readerSilent(let name): ("reader_silent", "the reader \(name) does not answer any more")
    case .port(let path, .missing): ("port_missing", "\(path) does not exist")
    case .port(let path, .denied(let group)):
      (
        "access_denied",
        "you may not use \(path)\(group.map { "; members of the group \($0) may, from their next login on" } ?? "")"
      )
    case .port(let path, .busy): ("reader_busy", "another program is using \(path)")
    case .port(let path, .notSerial): ("not_a_port", "\(path) is not a serial port")
    case .readerUnfit(let name, let reason, _): ("reader_unfit", "the reader \(name) cannot be used: \(reason)")
    case .flipperFile(let path, let reason): ("flipper_file", "the Flipper Zero cannot read \(path): \(reason)")
    case .readerFailed(let name, let reason): ("reader_failed", "the reader \(name) failed: \(reason)")

    case .noTag: ("no_tag", "no sensor was found before the timeout")
    case .otherTag(let uid):
      ("other_tag", "the tag on the reader is not a sensor (manufacturer \(HexText.string(of: uid.manufacturer)))")
    case .otherCard: ("other_card", "the card on the reader is not a sensor (not an ISO 15693 tag)")
    case .tagSilent(let block): ("tag_silent", "the sensor does not answer\(block.map { " (at block \($0))" } ?? "")")
    case .tagLost(let block):
      ("tag_lost", "the sensor was removed\(block.map { " while reading block \($0)" } ?? " during the read")")
    case .tag(let error, let block):
      (
        "tag_refused",
        "the sensor refused\(block.map { " block \($0)" } ?? "") with error \(HexText.string(of: error.code)) (\(error.summary))"
      )
    case .malformedResponse(let request, let length):
      ("malformed_response", "invalid answer of \(length) bytes to \(request.summary)")

    case .cancelled: ("interrupted", "interrupted; nothing was saved")
    }
  }

  private func list(_ names: [String]) -> String { names.isEmpty ? "no reader" : names.joined(separator: ", ") }
}

extension ISO15693.Request {
  fileprivate var summary: String {
    switch self {
    case .inventory: "the inventory request"
    case .systemInformation: "the system information request"
    case .patchInfo: "the patch info request"
    case .readBlock, .readBlocks, .readWideBlock, .readWideBlocks: "the read of \(blockWords)"
    }
  }

  var blockWords: String {
    guard let blocks, blocks.count > 1 else { return "block \(firstBlock ?? 0)" }
    return "blocks \(blocks.lowerBound) to \(blocks.upperBound - 1)"
  }
}

extension TagError {
  fileprivate var summary: String {
    switch self {
    case .notSupported: "unknown command"
    case .formatError: "request not understood"
    case .optionNotSupported: "unknown option"
    case .unspecified: "no reason given"
    case .blockNotAvailable: "block not available"
    case .alreadyLocked: "already locked"
    case .locked: "locked"
    case .writeFailed: "not written"
    case .lockFailed: "not locked"
    case .custom: "a code of the manufacturer"
    case .unknown: "an undocumented code"
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The order of calls is: `identify`, then any number of `exchange`, at last `end`.
package struct ProxmarkConversation {
  private let line: any SerialLine
  private let name: String
  private let limit: Duration
  private var replies = ProxmarkReplies()
  private var answersTwice = false
  private var pings: UInt8 = 0
  /// True once the device has answered as a Proxmark3, which may be given commands without reply.
  private var isKnown = false
  private var hasOpenQuestion = false

  /// Bits of the command for ISO 15693 (read: the firmware).
  private enum Flags {
    /// Switches the field off and on before the frame, which takes 260 ms.
    static let connect: UInt8 = 0x01
    /// Leaves the field on; 1-of-4 coding; listens for an answer.
    static let always: UInt8 = 0x32
    /// Waits 22 ms for an answer to begin instead of 1.6 ms.
    static let longWait: UInt8 = 0x40
  }

  private enum Status {
    static let success: Int8 = 0
    static let noAnswer: Int8 = -4
    static let aborted: Int8 = -5
    static let garbled: Int8 = -22
  }

  /// `limit`: how long to wait for a reply; each frame from the device begins it anew.
  package init(_ line: any SerialLine, name: String, limit: Duration) {
    self.line = line
    self.name = name
    self.limit = limit
  }

  /// Throws `readerUnfit` if it is not a Proxmark3, or one whose firmware cannot read sensors.
  mutating func identify(while isWanted: () -> Bool) throws(TransportError) -> ProxmarkFirmware {
    let ping = (0..<32).map { UInt8($0) }
    // The first one may complete half a frame that a program left which was killed.
    if try find(.ping, ping, within: limit / 2, while: isWanted) == nil,
      try find(.ping, ping, within: limit / 2, while: isWanted) == nil
    {
      throw .readerUnfit(
        name: name, reason: "it does not answer as a Proxmark3",
        remedy: "unplug it, plug it in without holding its button, wait 20 seconds and read again")
    }
    isKnown = true
    let capabilities = try ask(.capabilities, while: isWanted).data
    // Firmware that is too old by this need not understand the next question.
    var firmware = ProxmarkFirmware(capabilities: capabilities, version: [])
    if capabilities.first ?? 0 >= 6 {
      firmware = ProxmarkFirmware(capabilities: capabilities, version: try ask(.version, while: isWanted).data)
    }
    if let fault = firmware.fault { throw .readerUnfit(name: name, reason: fault.reason, remedy: fault.remedy) }
    answersTwice = firmware.answersTwice
    return firmware
  }

  /// nil without a plausible answer. `startsAfresh`: the field is switched off and on before. Throws also
  /// `readerSilent`, `readerFailed`.
  package mutating func exchange(
    _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool
  ) throws(TransportError) -> [UInt8]? {
    let frame = FrameChecksum.sealed(request.frame)
    let flags = Flags.always | (startsAfresh ? Flags.connect : 0) | (request.manufacturer != nil ? Flags.longWait : 0)
    let reply = try ask(.iso15693, [flags, UInt8(frame.count), 0] + frame, while: isWanted)
    if answersTwice {
      // The copy may still be on its way: everything before the echo is dropped.
      pings &+= 1
      guard try find(.ping, [pings], within: limit, while: isWanted) != nil else { throw .readerSilent(name: name) }
    }
    switch reply.status {
    // The firmware leaves the checksum to the host.
    case Status.success: return FrameChecksum.opened(reply.data)
    case Status.noAnswer, Status.garbled: return nil
    case Status.aborted: throw .readerFailed(name: name, reason: "its button was pressed")
    case let status: throw .readerFailed(name: name, reason: "status \(status)")
    }
  }

  /// Switches the field off, which the device does not do by itself, and gives the line back.
  package mutating func end() {
    defer { line.close() }
    guard isKnown else { return }
    isKnown = false
    // The device does not find its way in two commands at once.
    if hasOpenQuestion { _ = try? line.read(until: .now + min(limit, .milliseconds(500)), while: { true }) }
    for command in [ProxmarkCommand.dropField, .quitSession] { try? line.write(command.frame(), until: .now + limit) }
  }

  private mutating func ask(
    _ command: ProxmarkCommand, _ data: [UInt8] = [], while isWanted: () -> Bool
  ) throws(TransportError) -> ProxmarkReply {
    guard let reply = try find(command, data, within: limit, while: isWanted) else { throw .readerSilent(name: name) }
    return reply
  }

  /// The reply to a command, with all other frames passed over; nil if it does not come in time.
  private mutating func find(
    _ command: ProxmarkCommand, _ data: [UInt8], within limit: Duration, while isWanted: () -> Bool
  ) throws(TransportError) -> ProxmarkReply? {
    let start = ContinuousClock.now
    var end = start + limit
    try line.write(command.frame(data), until: end)
    hasOpenQuestion = true
    var isFinal = false
    while true {
      while let reply = replies.next(isFinal: isFinal) {
        if reply.command == command.rawValue, command != .ping || reply.data == data {
          hasOpenQuestion = false
          return reply
        }
        end = .now + limit
        if reply.command == ProxmarkCommand.moreTime.rawValue, reply.data.count == 2 {
          end += .milliseconds(Int(reply.data[0]) | Int(reply.data[1]) << 8)
        }
        // Messages without end are not an answer.
        end = min(end, start + limit * 4)
      }
      if isFinal { return nil }
      let bytes = try line.read(until: end, while: isWanted)
      replies.add(bytes)
      isFinal = bytes.isEmpty || .now >= end
    }
  }
}

extension ProxmarkConversation: SerialConversation {
  package static let product = "Proxmark3"
  package static let dialect = "proxmark3"
  package static let summary =
    "a Proxmark3 with firmware v4.18218 or newer: proxmark:/dev/ttyACM0, or proxmark for the first"

  /// Two pings, two questions, and as long again for a device that sends other things in between.
  package static let openingReplies = 6
  /// The frame and the ping behind it.
  package static let exchangeReplies = 9

  package static func address(port: String?) -> ReaderAddress { .proxmark(port: port) }

  /// True for the numbers of all current firmware, and of firmware too old to be used (read: its USB descriptor).
  package static func isProduct(_ usb: USBDevice) -> Bool {
    [KnownReader.USBID(vendor: 0x9AC4, product: 0x4B8F), .init(vendor: 0x2D2D, product: 0x504D)].contains(usb.id)
  }

  package mutating func start(while isWanted: () -> Bool) throws(TransportError) -> String {
    try identify(while: isWanted).name
  }
}

/// Run against an emulator of the firmware on a pseudo-terminal; untested on hardware.
package typealias ProxmarkBackend = SerialBackend<ProxmarkConversation>

/// The commands of a Proxmark3 that are sent, and the frames that it sends without being asked
/// (NFCTransport/OtherReaders, "Commands"). A command that writes to a tag cannot be expressed.
enum ProxmarkCommand: UInt16, CaseIterable {
  /// Text for people; unknown commands are answered by nothing else.
  case message = 0x0100
  case version = 0x0107
  case ping = 0x0109
  case capabilities = 0x0112
  /// No answer.
  case quitSession = 0x0113
  /// The device needs so many more milliseconds.
  case moreTime = 0x0116
  case iso15693 = 0x0313
  /// No answer.
  case dropField = 0x0430

  /// The frame that goes to the device, which must be sent in one piece.
  func frame(_ data: [UInt8] = []) -> [UInt8] {
    let length = UInt16(data.count) | 0x8000
    let head = [length, rawValue].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return Array("PM3a".utf8) + head + data + Array("a3".utf8)
  }
}

struct ProxmarkReply: Hashable, Sendable {
  let command: UInt16
  /// 0 for success, else one of the firmware's negative numbers.
  let status: Int8
  /// The content, at most 512 bytes.
  let data: [UInt8]
}

/// Finds the frames between other bytes, without those of the form before 2020, which lack the bit of the newer one.
struct ProxmarkReplies {
  private var bytes: [UInt8] = []
  private var start = 0

  private static let magic = Array("PM3b".utf8)
  private static let end = Array("b3".utf8)
  private static let longestData = 512
  /// Magic, length, status, reason and command in front, the end behind.
  private static let overhead = 12

  mutating func add(_ more: [UInt8]) {
    bytes.removeFirst(start)
    start = 0
    bytes += more
  }

  /// nil if more bytes are needed. `isFinal`: no more will come, so that an incomplete frame hides none behind it.
  mutating func next(isFinal: Bool = false) -> ProxmarkReply? {
    while start < bytes.count {
      let rest = bytes[start...]
      let length = rest.count >= Self.overhead ? Int(number(at: 4) & 0x7FFF) : 0
      let mayBeFrame = rest.starts(with: Self.magic.prefix(rest.count)) && length <= Self.longestData
      let isWhole = rest.count >= length + Self.overhead
      if mayBeFrame, !isWhole, !isFinal { return nil }
      guard mayBeFrame, isWhole, rest[(start + length + 10)...].starts(with: Self.end) else {
        start += 1
        continue
      }
      let isNew = bytes[start + 5] & 0x80 != 0
      let reply = ProxmarkReply(
        command: number(at: 8), status: Int8(bitPattern: bytes[start + 6]),
        data: Array(bytes[start + 10..<start + 10 + length]))
      start += length + Self.overhead
      if isNew { return reply }
    }
    return nil
  }

  private func number(at offset: Int) -> UInt16 {
    UInt16(bytes[start + offset]) | UInt16(bytes[start + offset + 1]) << 8
  }
}

/// A Proxmark3's firmware as it describes itself (NFCTransport/OtherReaders, "Versions").
struct ProxmarkFirmware: Hashable, Sendable {
  /// The version of its list of capabilities, which grows with the firmware.
  let capabilityVersion: UInt8
  private let hasISO15693: Bool
  /// `21611` of `v4.21611`; nil for a build that does not say.
  private let release: Int?

  /// The first release that takes a frame as it is sent here.
  private static let firstUsable = 18_218
  /// Older lists are those of releases that take another form of the command.
  private static let oldestList: UInt8 = 6

  /// `capabilities` and `version`: the data of the replies to these commands; any bytes are allowed.
  init(capabilities: [UInt8], version: [UInt8]) {
    capabilityVersion = capabilities.first ?? 0
    hasISO15693 = capabilities.count > 11 && capabilities[11] & 1 == 1
    // Three numbers of 32 bits stand before the text, which ends with a zero.
    release = Self.release(in: String(decoding: version.dropFirst(12).prefix { $0 != 0 }, as: UTF8.self))
  }

  var name: String { release.map { "Proxmark3 v4.\($0)" } ?? "Proxmark3" }

  /// True for releases that send every answer of a tag twice.
  var answersTwice: Bool { capabilityVersion == Self.oldestList }

  /// Firmware before the first usable release would take the length of a frame from elsewhere and transmit garbage.
  var fault: (reason: String, remedy: String)? {
    let update =
      "flash v4.21128 or newer: run pm3-flash-all of a release from github.com/RfidResearchGroup/proxmark3"
    if capabilityVersion < Self.oldestList { return ("its firmware is too old, from before 2022", update) }
    if capabilityVersion == Self.oldestList {
      guard let release else {
        return ("its firmware does not say which release it is, and some like it transmit garbage", update)
      }
      if release < Self.firstUsable { return ("its firmware v4.\(release) is too old", update) }
    }
    return hasISO15693
      ? nil : ("its firmware was built without ISO 15693", "build it without SKIP_ISO15693, or flash a release")
  }

  /// The number in the line about the operating system: `  OS......... Iceman/master/v4.21611-…`, in older firmware
  /// `       os: Iceman/…`. Colours may stand in it.
  private static func release(in text: String) -> Int? {
    for line in text.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(separator: "\n") {
      guard let match = line.firstMatch(of: /^\s*os[:.]+\s.*?v4\.([0-9]+)/.ignoresCase()) else { continue }
      return Int(match.1)
    }
    return nil
  }
}

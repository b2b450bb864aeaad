// SPDX-License-Identifier: Apache-2.0

/// A conversation with a Proxmark3: one command at a time, each reply waited for.
///
/// The order of calls is: `identify`, then any number of `exchange`, at last `end`.
struct ProxmarkConversation {
  private let line: any SerialLine
  /// The device in errors.
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

  /// The firmware's numbers for what went wrong.
  private enum Status {
    static let success: Int8 = 0
    static let noAnswer: Int8 = -4
    static let aborted: Int8 = -5
    static let garbled: Int8 = -22
  }

  /// `limit`: how long to wait for a reply; each frame from the device begins it anew.
  init(_ line: any SerialLine, name: String, limit: Duration) {
    self.line = line
    self.name = name
    self.limit = limit
  }

  /// Asks the device who it is.
  ///
  /// - Throws: `readerUnfit` if it is not a Proxmark3, or one whose firmware cannot read sensors.
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

  /// Sends a request and returns the tag's answer without checksum; nil if none came that can be one.
  ///
  /// `startsAfresh`: the field is switched off and on before.
  ///
  /// - Throws: `readerSilent`, `readerFailed`, and what `line` throws.
  mutating func exchange(
    _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool
  ) throws(TransportError) -> [UInt8]? {
    let frame = FrameChecksum.sealed(request.frame)
    let flags = Flags.always | (startsAfresh ? Flags.connect : 0) | (request.isCustom ? Flags.longWait : 0)
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
  mutating func end() {
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

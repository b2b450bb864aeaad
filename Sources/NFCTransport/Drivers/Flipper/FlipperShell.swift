// SPDX-License-Identifier: Apache-2.0

/// The conversation with the shell of a Flipper Zero (NFCTransport/OtherReaders, "Flipper Zero"). The order of calls
/// is: `synchronise`, then files, or `startNFC` and any number of `exchange`, at last `end`.
package struct FlipperShell {
  private let line: any SerialLine
  private let name: String
  /// Timeout for a prompt. Commands that take longer have a multiple of it.
  private let limit: Duration
  /// Shell of the last prompt; nil between a command and its prompt.
  private var prompt: FlipperReply.Prompt?
  /// False once the shell has said that it does not know the key for the time to wait.
  private var waits = true
  /// True after an error: the shell then sends nothing until an inventory has succeeded, and repeats the error instead.
  private var needsInventory = true
  private var isDeaf = false
  /// True from the moment on when the shell for NFC may be open, and its field on.
  private var mustExit = false
  /// UID of the sensor that was found when a read last started afresh.
  private var uid: SensorUID?

  package init(_ line: any SerialLine, name: String, limit: Duration) {
    self.line = line
    self.name = name
    self.limit = limit
  }

  // MARK: Prompts

  /// Brings the main prompt, whatever state an earlier program has left. Throws `readerUnfit` if none comes.
  mutating func synchronise(while isWanted: () -> Bool = { true }) throws(TransportError) {
    guard try interrupt(while: isWanted) else {
      throw unfit(
        "it does not answer as a Flipper Zero",
        "check the port with libre readers, restart the Flipper, and wait 20 seconds after plugging it in: "
          + "ModemManager tries new ports for that long")
    }
    // The field that a killed program left on goes off.
    if prompt == .nested { _ = try ask(.exit, within: limit, while: isWanted) }
    guard prompt == .main else { throw unexpected("exit has not ended a shell") }
  }

  /// Ends a half-typed line or a command; false if no prompt comes.
  private mutating func interrupt(while isWanted: () -> Bool) throws(TransportError) -> Bool {
    for key in ["\u{3}", "\r"] {
      if try reply(FlipperReply(to: nil), typing: key, within: limit, while: isWanted) != nil { return true }
    }
    return false
  }

  /// Types a command, and interrupts it once after silence. Throws `readerSilent` if no prompt comes then either.
  private mutating func ask(
    _ command: FlipperShellCommand, within limit: Duration, while isWanted: () -> Bool
  ) throws(TransportError) -> FlipperReply? {
    let reply = try reply(FlipperReply(to: command), typing: "\(command.line)\r", within: limit, while: isWanted)
    if reply == nil, try !interrupt(while: isWanted) {
      isDeaf = true
      throw .readerSilent(name: name)
    }
    return reply
  }

  /// Types keys and collects the reply; nil if no prompt comes.
  private mutating func reply(
    _ empty: FlipperReply, typing keys: String, within limit: Duration, while isWanted: () -> Bool
  ) throws(TransportError) -> FlipperReply? {
    var reply = empty
    let end = ContinuousClock.now + limit
    prompt = nil
    try line.write(Array(keys.utf8), until: end)
    while !reply.isTooLong {
      let bytes = try line.read(until: end, while: isWanted)
      if bytes.isEmpty { return nil }
      reply.take(bytes)
      prompt = reply.prompt
      if prompt != nil { return reply }
    }
    return nil
  }

  // MARK: Frames

  /// Throws `readerUnfit` with what keeps the Flipper from starting the shell for NFC, and what helps.
  mutating func startNFC(while isWanted: () -> Bool = { true }) throws(TransportError) {
    mustExit = true
    let reply = try ask(.startNFC, within: limit * 3, while: isWanted)
    if prompt == .nested { return }
    mustExit = false
    throw refusal(reply?.text ?? "nothing to nfc")
  }

  private func refusal(_ text: String) -> TransportError {
    if text.contains("NFC app is running") || text.contains("while an application is open") {
      return unfit(
        "an app is open on its screen",
        "press the Flipper's back button until its desktop shows, and read again")
    }
    if text.contains("Usage:") {
      return unfit(
        "its firmware is too old to send frames for a computer",
        "update it with qFlipper, to official firmware 1.4 or Unleashed or Momentum of 2025 or newer; until then save a "
          + "Libre 1 with the Flipper's own app (NFC, Read, Save), and run libre flipper list")
    }
    if text.contains("could not find") || text.contains("failed to load") {
      return unfit(
        "it does not find its NFC shell, which lies on its memory card",
        "put a memory card in and install the firmware with qFlipper, which copies the shell onto the card; firmware "
          + "before 2025 has none")
    }
    return unexpected(text)
  }

  /// nil without a plausible answer, or if another sensor is there than at the start. `startsAfresh`: any may be there.
  package mutating func exchange(
    _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool = { true }
  ) throws(TransportError) -> [UInt8]? {
    if startsAfresh {
      needsInventory = true
      uid = nil
    }
    guard let answer = try send(request, while: isWanted) else { return nil }
    if let found = answer.uid {
      if uid == nil { uid = found }
      needsInventory = needsInventory || found != uid
    }
    guard !needsInventory, case .frame(let frame) = answer.outcome else { return nil }
    return frame
  }

  /// Sends a frame; nil if the Flipper had to be interrupted.
  private mutating func send(
    _ request: ISO15693.Request, while isWanted: () -> Bool
  ) throws(TransportError) -> FlipperAnswer? {
    let command = FlipperShellCommand.send(request, selecting: needsInventory, waiting: waits)
    needsInventory = true
    let reply = try ask(command, within: limit * 3 / 2, while: isWanted)
    guard prompt == .nested else {
      throw unfit(
        "its NFC shell has ended by itself", "leave the Flipper's buttons alone while it reads, and read again")
    }
    guard let reply else { return nil }
    let answer = FlipperAnswer(reply.text, to: request)
    switch answer.outcome {
    case .frame: needsInventory = false
    case .none: break
    case .lacksWait where waits:
      waits = false
      return try send(request, while: isWanted)
    case .lacksWait: throw unexpected(reply.text)
    case .refused(let words): throw unexpected(words)
    }
    return answer
  }

  /// Ends the shell for NFC, which switches the field off, and gives the line back. What cannot be done is left.
  package mutating func end() {
    defer { line.close() }
    guard mustExit else { return }
    mustExit = false
    if prompt == nil, !isDeaf { _ = try? interrupt(while: { true }) }
    // Whatever the last prompt was: noise may look like one. A shell that is deaf now may still read the line later.
    let limit = isDeaf ? .zero : limit
    _ = try? reply(FlipperReply(to: .exit), typing: "exit\r", within: limit, while: { true })
  }

  // MARK: Files

  /// Throws `flipperFile`, `readerUnfit` without a card, `readerSilent`.
  mutating func list(_ path: FlipperPath, while isWanted: () -> Bool = { true }) throws(TransportError) -> [FlipperFile]
  {
    let text = try storage(.list(path), path, while: isWanted).text
    return text.split(whereSeparator: \.isNewline).compactMap { FlipperFile(line: $0) }
  }

  /// Throws as `list`; `readerUnfit` if less comes than the Flipper has announced.
  mutating func read(_ path: FlipperPath, while isWanted: () -> Bool = { true }) throws(TransportError) -> [UInt8] {
    let reply = try storage(.read(path), path, while: isWanted)
    guard let file = reply.file else { throw unexpected(reply.text) }
    return file
  }

  /// The time at which a file was saved, in seconds since 1970 by the Flipper's clock, which has no time zone.
  mutating func timestamp(_ path: FlipperPath, while isWanted: () -> Bool = { true }) throws(TransportError) -> Int64? {
    guard let reply = try ask(.timestamp(path), within: limit * 5, while: isWanted) else { return nil }
    return reply.text.split(separator: " ").last.flatMap { Int64($0) }
  }

  private mutating func storage(
    _ command: FlipperShellCommand, _ path: FlipperPath, while isWanted: () -> Bool
  ) throws(TransportError) -> FlipperReply {
    guard let reply = try ask(command, within: limit * 5, while: isWanted) else {
      throw unexpected("it has not sent all of \(path)")
    }
    guard let start = reply.text.firstRange(of: "Storage error: ")?.upperBound else { return reply }
    let reason = FlipperAnswer.excerpt(String(reply.text[start...]))
    if reason.contains("not ready") {
      throw unfit("it has no memory card that it can read", "put a card in and restart the Flipper")
    }
    throw .flipperFile(path: path.description, reason: reason)
  }

  private func unexpected(_ text: String) -> TransportError {
    unfit(
      "it has answered in a way that libre does not know: \(FlipperAnswer.excerpt(text))",
      "unplug it, plug it in and try again; if it stays so, please report these words and the firmware's version")
  }

  private func unfit(_ reason: String, _ remedy: String) -> TransportError {
    .readerUnfit(name: name, reason: reason, remedy: remedy)
  }
}

extension FlipperShell: SerialConversation {
  package static let product = "Flipper Zero"
  package static let dialect = "flipper-raw"
  package static let summary =
    "a Flipper Zero with firmware of 2025 or newer: flipper:/dev/ttyACM0, or flipper for the first"

  /// Three prompts to find the shell, three times one prompt for that of NFC, and two to interrupt it.
  package static let openingReplies = 9
  /// Two frames of the first version of the shell, each interrupted.
  package static let exchangeReplies = 8

  package static func address(port: String?) -> ReaderAddress { .flipper(port: port) }

  /// True for its number, which any device with the same chip has (read: qFlipper's udev rules), with its name.
  package static func isProduct(_ usb: USBDevice) -> Bool {
    usb.id == KnownReader.USBID(vendor: 0x0483, product: 0x5740)
      && [usb.manufacturer, usb.product].contains { $0?.hasPrefix("Flipper") == true }
  }

  package mutating func start(while isWanted: () -> Bool) throws(TransportError) -> String {
    try synchronise(while: isWanted)
    try startNFC(while: isWanted)
    return name
  }
}

/// Run against an emulator of the firmware on a pseudo-terminal; untested on hardware.
package typealias FlipperBackend = SerialBackend<FlipperShell>

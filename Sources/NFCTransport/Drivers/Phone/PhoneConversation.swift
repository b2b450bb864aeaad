// SPDX-License-Identifier: Apache-2.0

/// The conversation with a phone on which NFCGate reads a tag (NFCTransport/OtherReaders, "Android phone").
///
/// The app does not say which request an answer belongs to, nor that a tag is lost: then nothing comes. So after silence
/// an inventory must succeed before the next request, and an answer that comes too late is dropped by then.
struct PhoneConversation {
  private let line: any SerialLine
  private let name: String
  /// The time that an answer may take.
  private let limit: Duration
  private var stream = NFCGateStream()
  private var tag: Tag?

  private struct Tag {
    var uid: SensorUID?
    var needsInventory = true
    /// True if frames that are not addressed get no answer.
    var isAddressed = false
    /// The number of inventories in a row without an answer.
    var silences = 0
  }

  /// The number of silences after which a tag has to be found anew.
  private static let silenceLimit = 3

  init(_ line: any SerialLine, name: String, limit: Duration) {
    self.line = line
    self.name = name
    self.limit = limit
  }

  func end() { line.close() }

  /// nil without a plausible answer. `startsAfresh`: another tag than before may answer. Throws `readerUnplugged` once
  /// the phone has left, `readerUnfit` for another program or role.
  mutating func exchange(
    _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool
  ) throws(TransportError) -> [UInt8]? {
    // Messages that have come meanwhile; a tag is waited for a moment longer.
    while let message = try next(until: tag == nil ? .now + .milliseconds(200) : .now, while: isWanted) {
      try take(message)
    }
    if startsAfresh { tag?.uid = nil }
    guard let tag else { return nil }
    if request == .inventory { return try inventory(while: isWanted) }
    if tag.needsInventory, try inventory(while: isWanted) == nil { return nil }
    if !tag.isAddressed, let answer = try ask(request, request.frame, while: isWanted) { return answer }
    // Some phones lose frames that are not addressed (reported: xDrip).
    if !tag.isAddressed, try inventory(while: isWanted) == nil { return nil }
    guard let uid = self.tag?.uid, let frame = request.frame(addressedTo: uid),
      let answer = try ask(request, frame, while: isWanted)
    else { return nil }
    self.tag?.isAddressed = true
    return answer
  }

  private mutating func inventory(while isWanted: () -> Bool) throws(TransportError) -> [UInt8]? {
    guard let answer = try ask(.inventory, ISO15693.Request.inventory.frame, while: isWanted) else {
      tag?.silences += 1
      if tag?.silences == Self.silenceLimit { tag = nil }
      return nil
    }
    guard case .inventory(let uid)? = try? ISO15693.Response(answer, to: .inventory), uid == tag?.uid ?? uid else {
      return nil
    }
    tag?.uid = uid
    tag?.needsInventory = false
    tag?.silences = 0
    return answer
  }

  /// The answer to a frame; nil if it does not come in time, or another tag comes.
  private mutating func ask(
    _ request: ISO15693.Request, _ frame: [UInt8], while isWanted: () -> Bool
  ) throws(TransportError) -> [UInt8]? {
    let end = ContinuousClock.now + limit
    try line.write(NFCGateMessage.request(frame), until: end)
    while let message = try next(until: end, while: isWanted) {
      if case .answer(let answer) = message {
        if (try? ISO15693.Response(answer, to: request)) != nil { return answer }
        continue
      }
      try take(message)
      if message == .tagFound { return nil }
    }
    tag?.needsInventory = true
    return nil
  }

  private mutating func take(_ message: NFCGateMessage) throws(TransportError) {
    switch message {
    case .hello: try line.write(NFCGateMessage.welcome, until: .now + limit)
    case .goodbye: throw .readerUnplugged(name: name)
    case .tagFound: tag = Tag()
    case .cardRole: throw PhoneFault.isCard.error
    case .answer, .other: break
    }
  }

  /// The next message; nil if `end` has passed.
  private mutating func next(
    until end: ContinuousClock.Instant, while isWanted: () -> Bool
  ) throws(TransportError) -> NFCGateMessage? {
    while true {
      do throws(PhoneFault) {
        if let message = try stream.next() { return message }
      } catch {
        throw error.error
      }
      let bytes = try line.read(until: end, while: isWanted)
      if bytes.isEmpty { return nil }
      stream.add(bytes)
    }
  }
}

/// Reasons why what has connected does not read sensors, each with the way out.
enum PhoneFault: Error, Hashable {
  case isCard
  case usesTLS
  case isOther

  var error: TransportError {
    let (reason, remedy) =
      switch self {
      case .isCard: ("NFCGate shows a card instead of reading one", "in NFCGate \(PhoneBackend.role)")
      case .usesTLS: ("NFCGate uses TLS", "switch TLS off in NFCGate's settings: only the cable carries it")
      case .isOther:
        (
          "a program that is not NFCGate has connected",
          "end that program, or lead the phone to another port: adb reverse tcp:5567 tcp:5567, then --reader phone:5567"
        )
      }
    return .readerUnfit(name: "phone", reason: reason, remedy: remedy)
  }
}

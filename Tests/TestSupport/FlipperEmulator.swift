// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The shell of a Flipper Zero: bytes in, bytes out (NFCTransport/OtherReaders, "Flipper Zero"). It shares no code with
/// what is tested.
package struct FlipperEmulator: Sendable {
  // MARK: What it is

  /// The differences of a firmware to the newest one.
  package struct Firmware: Hashable, Sendable {
    /// What `nfc` does.
    package var nfc = NFC.shell
    /// The first version of the shell: `raw` does not know the key `-t`, and no line end stands before `Error:`.
    package var isFirst = false
    /// What an answer that cannot be decoded is called.
    package var undecodable = "No card"
    /// Whether the text is coloured in more places.
    package var isColourful = false

    package init() {}

    package static let first: Firmware = {
      var firmware = Firmware()
      firmware.isFirst = true
      firmware.undecodable = "Internal protocol"
      return firmware
    }()
  }

  package enum NFC: Hashable, Sendable, CaseIterable {
    case shell
    /// The app is open on the screen.
    case appRunning
    /// Any other app is open on the screen.
    case otherAppOpen
    /// Without a memory card.
    case notFound
    /// With a card that lacks the plugin.
    case notLoaded
    /// Firmware up to 1.3.
    case old
  }

  /// A fault of one frame.
  package enum Fault: Hashable, Sendable, CaseIterable {
    case silence
    case wrongChecksum
    case undecodable
    /// The line is worked on for ever; only Ctrl-C brings the prompt back.
    case hang
    /// Not even Ctrl-C does.
    case deafHang
    /// The port vanishes in the middle of the reply.
    case unplugged
    /// Its shell for NFC ends by itself.
    case shellEnds
    /// Half of the reply is missing.
    case halfReply
  }

  /// A sensor that answers as one does: silence for what it does not understand.
  package struct Tag: Hashable, Sendable {
    package var memory: [UInt8]
    /// `E0` first.
    package var uid: [UInt8]
    package var patchInfo: [UInt8]

    package init(memory: [UInt8], uid: [UInt8], patchInfo: [UInt8]) {
      self.memory = memory
      self.uid = uid
      self.patchInfo = patchInfo
    }
  }

  package var firmware: Firmware
  /// nil while no sensor is there.
  package var tag: Tag?
  /// By the number of the frame, from 1.
  package var faults: [Int: Fault] = [:]
  /// The sensor is there but for the frames in these spans.
  package var absences: [Range<Int>] = []
  /// What takes the sensor's place at the frame of this number: another one, or the same one a minute later.
  package var successors: [Int: Tag] = [:]
  /// The files on the card by path; nil without a card.
  package var files: [String: [UInt8]]? = [:]
  /// Text that another program's `AT` command has caused, before the first prompt.
  package var noise = ""
  /// True for another device, which prints nothing.
  package var isSilent = false
  /// Whether the banner comes when the first byte is typed, as it does on a port that was opened just now.
  package var showsBanner = true

  package init(_ firmware: Firmware = Firmware(), tag: Tag? = nil) {
    self.firmware = firmware
    self.tag = tag
  }

  // MARK: What it has seen

  package private(set) var fieldIsOn = false
  /// All bytes that were typed.
  package private(set) var typed: [UInt8] = []
  /// The lines that were typed, without their end.
  package private(set) var lines: [String] = []
  /// Whether `raw` was typed so often.
  package private(set) var frameCount = 0
  package private(set) var isUnplugged = false

  private var line: [UInt8] = []
  private var isInNFC = false
  private var isBusy = false
  private var isDeaf = false
  /// Of the context that frames share: whether the last frame kept it, the sticky error, and the last answer.
  private var isKept = false
  private var error: String?
  private var received: [UInt8] = []

  // MARK: The line

  /// Types bytes and returns what the shell prints.
  package mutating func type(_ bytes: [UInt8]) -> [UInt8] {
    var printed: [UInt8] = []
    for byte in bytes where !isUnplugged {
      typed.append(byte)
      if isSilent { continue }
      if showsBanner {
        showsBanner = false
        printed += Self.banner + Array(noise.utf8) + prompt
      }
      printed += type(byte)
    }
    return printed
  }

  private mutating func type(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case 0x03:
      if isDeaf { return [] }
      isBusy = false
      line = []
      return Array("^C".utf8) + prompt
    case _ where isBusy: return []
    case 0x0A: return []
    case 0x0D:
      let text = String(decoding: line, as: UTF8.self)
      line = []
      lines.append(text)
      let output = run(text)
      if isUnplugged { return Array("\r\n".utf8) + output.prefix(output.count / 2) }
      return Array("\r\n".utf8) + output + (isBusy ? [] : prompt)
    default:
      line.append(byte)
      return [byte]
    }
  }

  private var prompt: [UInt8] {
    Array((isInNFC ? "\r\n[\u{1B}[32mnfc\u{1B}[0m]>: " : firmware.isColourful ? "\r\n\u{1B}[1m>: " : "\r\n>: ").utf8)
  }

  private static let banner = Array(
    """
    \u{1B}[2J\u{1B}[H\u{1B}[38;5;208m              _.-------.._                    -,\r
            .-"```"--..,,_/ /`-,               -,  \\\r
    \u{1B}[0mWelcome to Flipper Zero Command Line Interface!\r
    Firmware version: release 1.4.3 (ac1f8a4d built on 01-12-2025)\r\n
    """.utf8)

  private static func red(_ text: String) -> String { "\u{1B}[31m\(text)\u{1B}[0m" }

  private mutating func run(_ text: String) -> [UInt8] {
    let words = Self.words(text)
    switch (words.first, isInNFC) {
    case (nil, _): return []
    case ("raw", true): return Array(raw(Array(words.dropFirst())).utf8)
    case ("exit", true):
      isInNFC = false
      fieldIsOn = false
      isKept = false
      return []
    case ("nfc", false): return Array(startNFC().utf8)
    case ("storage", false): return storage(Array(words.dropFirst()))
    case (let word?, _): return Array(Self.red("could not find command `\(word)`, try `help`").utf8)
    }
  }

  /// Words between spaces; quotes hold one together.
  private static func words(_ text: String) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
      index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
    }
  }

  // MARK: NFC

  private mutating func startNFC() -> String {
    switch firmware.nfc {
    case .shell:
      isInNFC = true
      return "\u{1B}[94m\r\n  .-\"\"\"-.\r\n\u{1B}[97mWelcome to NFC Command Line Interface!\r\n"
        + "Run `help` or `?` to list available commands\r\n\u{1B}[0m"
    case .appRunning: return "\u{1B}[33mNFC app is running, unable to run NFC CLI at the same time!\r\n\u{1B}[0m"
    case .otherAppOpen: return Self.red("this command cannot be run while an application is open")
    case .notFound: return Self.red("could not find command `nfc`, try `help`")
    case .notLoaded: return Self.red("failed to load external command")
    case .old: return "Usage:\r\nnfc <cmd>\r\nCmd list:\r\n"
    }
  }

  private mutating func raw(_ words: [String]) -> String {
    var (selects, keeps, completes) = (false, false, false)
    var (technology, frame): (String?, [UInt8]?) = (nil, nil)
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "-p": technology = rest.popFirst()
      case "-d": frame = rest.popFirst().flatMap(Self.bytes)
      case "-t":
        if firmware.isFirst { return Self.red("Error: Key 't' is not supported\r\n") + "\n" + Self.help }
        guard rest.popFirst().flatMap(Int.init) != nil else { return Self.red("Error: bad value\r\n") }
      default:
        guard word.hasPrefix("-") else { return Self.red("Error: unexpected \(word)\r\n") + "\n" + Self.help }
        for key in word.dropFirst() {
          switch key {
          case "s": selects = true
          case "k": keeps = true
          case "c": completes = true
          default: return Self.red("Error: Key '\(key)' is not supported\r\n") + "\n" + Self.help
          }
        }
      }
    }
    guard technology == "15", let frame, !frame.isEmpty else {
      return Self.red("Error: no data\r\n") + "\n" + Self.help
    }
    return send(frame + (completes ? AirTag.checksum(frame) : []), whole: frame, selects: selects, keeps: keeps)
  }

  private static let help = "raw: sends raw bytes\r\n\t-p\tprotocol\r\n\t-d\tdata in hex\r\n"

  private mutating func send(_ sealed: [UInt8], whole frame: [UInt8], selects: Bool, keeps: Bool) -> String {
    frameCount += 1
    if let successor = successors[frameCount] { tag = successor }
    if !isKept {
      error = nil
      received = []
    }
    fieldIsOn = true
    isKept = keeps
    let present = absences.contains { $0.contains(frameCount) } ? nil : tag
    var text = ""
    if selects {
      error = present == nil ? "Timeout" : nil
      if let present { text += "UID: \(Self.hex(present.uid))\r\n" }
    }
    let fault = faults[frameCount]
    let isSent = error == nil
    if isSent {
      received = []
      let answer = fault == .silence ? nil : present?.answer(to: sealed)
      switch (answer, fault) {
      case (let answer?, .wrongChecksum):
        received = answer
        received[received.count / 2] ^= 0x10
        error = "Wrong CRC"
      case (_?, .undecodable): error = firmware.undecodable
      case (let answer?, _): received = answer
      case (nil, _): error = "Timeout"
      }
    }
    switch fault {
    case .hang: isBusy = true
    case .deafHang: (isBusy, isDeaf) = (true, true)
    case .unplugged: isUnplugged = true
    case .shellEnds:
      (isInNFC, fieldIsOn, isKept) = (false, false, false)
      return ""
    default: break
    }
    text += "Tx: \(Self.hex(isSent ? sealed : frame))"
    if let error { text += "\(firmware.isFirst ? "" : "\r\n")Error: \"\(error)\"\r\n" }
    if !received.isEmpty { text += "\r\nRx: \(Self.hex(received))" }
    if fault == .halfReply { text = String(text.prefix(text.count / 2)) }
    return isBusy ? "" : text
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) + " " }.joined()
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text)
    guard digits.count.isMultiple(of: 2) else { return nil }
    let pairs = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    return pairs.contains(nil) ? nil : pairs.compactMap(\.self)
  }

  // MARK: The card

  private func storage(_ words: [String]) -> [UInt8] {
    guard let files else { return Array("Storage error: filesystem not ready\r\n".utf8) }
    let usage = "Usage:\r\nstorage <cmd> <path>\r\n"
    guard words.count == 2 else { return Array(usage.utf8) }
    let text: String
    switch words[0] {
    case "list": text = list(words[1], files)
    case "read":
      if let bytes = files[words[1]] { return Array("Size: \(bytes.count)\r\n".utf8) + bytes + Array("\r\n".utf8) }
      text = "Storage error: file/dir not exist\r\n"
    case "timestamp": text = files[words[1]] == nil ? "Invalid arguments\r\n" : "Timestamp 1750000000\r\n"
    default: text = usage
    }
    return Array(text.utf8)
  }

  private func list(_ directory: String, _ files: [String: [UInt8]]) -> String {
    let below = files.filter { $0.key.hasPrefix("\(directory)/") }
    if below.isEmpty { return directory == "/ext/nfc" ? "\tEmpty\r\n" : "Storage error: file/dir not exist\r\n" }
    var folders: Set<String> = []
    var lines: [String] = []
    for (path, bytes) in below.sorted(by: { $0.key < $1.key }) {
      let rest = path.dropFirst(directory.count + 1).split(separator: "/")
      if rest.count == 1 {
        lines.append("\t[F] \(rest[0]) \(bytes.count)b\r\n")
      } else if folders.insert(String(rest[0])).inserted {
        lines.append("\t[D] \(rest[0])\r\n")
      }
    }
    return lines.joined()
  }
}

extension FlipperEmulator.Tag {
  /// The answer with its checksum; nil for silence.
  func answer(to frame: [UInt8]) -> [UInt8]? {
    let number = SensorUID(bits: uid.reduce(0) { $0 << 8 | UInt64($1) })
    return AirTag.answer(of: MemoryImage(bytes: memory, uid: number, patchInfo: PatchInfo(patchInfo)), to: frame)
  }
}

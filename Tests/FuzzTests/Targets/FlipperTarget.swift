// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Synchronization
import TestSupport

@testable import NFCTransport

/// What comes from the port of a Flipper Zero: text about a frame, and whole conversations with whatever answers.
enum FlipperTarget {
  static let all = [
    FuzzTarget(name: "flipper-answer", seeds: { answers }, words: words, longest: 1_024, testRuns: 1_000, run: parse),
    FuzzTarget(
      name: "flipper-shell", seeds: { FlipperEmulator.NFC.allCases.map(conversation) }, words: words, longest: 4_096,
      testRuns: 300, run: play),
  ]

  private static let words = [
    ">: ", "\r\n>: ", "[nfc]>: ", "\u{1B}[32m", "\u{1B}[0m", "Tx: ", "Rx: ", "Error: ", "Error: \"Timeout\"", "UID: ",
    "Size: ", "Storage error: ", "nfc\r\n", "exit\r\n", "\t[F] ", "02 20 00", "Key 't'",
  ]
  private static let request = ISO15693.Request.readBlock(0)

  private static let answers = [
    "UID: E0 07 A0 00 01 23 45 67 \r\nTx: 02 20 00 47 50 \r\nRx: 01 0F 68 EE ", "Tx: 02 20 00 \r\nError: \"Timeout\"",
    "Tx: 02 20 00 47 50 Error: \"Wrong CRC\"\r\n\r\nRx: 01 10 1E 06 ", "Error: Key 't' is not supported\r\n\nraw: …",
  ].map { Array($0.utf8) }

  private static func parse(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    let answer = FlipperAnswer(text, to: request)
    guard case .frame(let frame) = answer.outcome else { return }
    try require(!frame.isEmpty, "an answer without flags")
    try require(!text.contains("Error:"), "an answer beside an error")
    let digits = text.filter { $0.isHexDigit }
    try require(digits.contains("0220004750"), "an answer to a frame that was not sent")
  }

  // MARK: Conversations

  /// An emulated Flipper, of which all that it prints is kept.
  private final class Recorded: SerialLine {
    private let state: Mutex<(flipper: FlipperEmulator, printed: [UInt8], read: Int)>

    init(_ flipper: FlipperEmulator) { state = Mutex((flipper, [], 0)) }

    var printed: [UInt8] { state.withLock { $0.printed } }

    func write(_ bytes: [UInt8], until end: Moment) {
      state.withLock { $0.printed += $0.flipper.type(bytes) }
    }

    func read(until end: Moment, while isWanted: () -> Bool) -> [UInt8] {
      state.withLock { state in
        defer { state.read = state.printed.count }
        return Array(state.printed[state.read...])
      }
    }

    func close() {}
  }

  private static func conversation(_ nfc: FlipperEmulator.NFC) -> [UInt8] {
    var firmware = FlipperEmulator.Firmware()
    firmware.nfc = nfc
    let memory = [UInt8](repeating: 0x3A, count: 344)
    var flipper = FlipperEmulator(
      firmware, tag: .init(memory: memory, uid: [0xE0, 0x07, 0xA0, 0, 1, 2, 3, 4], patchInfo: [0xDF, 0, 0, 1, 1, 2]))
    flipper.showsBanner = false
    flipper.faults = [3: .silence]
    flipper.files = ["/ext/nfc/x.nfc": Array("Filetype: Flipper NFC device\n".utf8)]
    let line = Recorded(flipper)
    try? converse(line)
    return line.printed
  }

  private static let path = FlipperPath("x.nfc") ?? .saved

  private static func converse(_ line: some SerialLine) throws {
    var shell = FlipperShell(line, name: "fuzz", limit: .seconds(60))
    if (try? shell.synchronise()) != nil {
      if let file = try? shell.read(path) { try require(file.count <= FlipperReply.longest, "a file that is too long") }
      _ = try? shell.list(.saved)
      _ = try? shell.timestamp(path)
      if (try? shell.startNFC()) != nil {
        for number in 0..<6 {
          let answer = try? shell.exchange(request, startsAfresh: number == 0)
          if let answer = answer ?? nil { try require(!answer.isEmpty, "an answer without flags") }
        }
      }
    }
    shell.end()
  }

  /// The bytes come one by one, whatever is typed.
  private static func play(_ input: [UInt8]) throws {
    let line = PlayedLine(input[...], size: 1)
    try converse(line)
    let typed = line.sent.map { String(decoding: $0, as: UTF8.self) }
    try require(typed.count < 60, "it types without end")
    let frames = ["skc", "kc"].flatMap { keys in
      ["", " -t 300000"].map { "raw -p 15 -\(keys)\($0) -d 022000\r" }
    }
    let allowed =
      frames + ["\u{3}", "\r", "nfc\r", "exit\r", "storage list \"/ext/nfc\"\r"]
      + ["read", "timestamp"].map { "storage \($0) \"\(path)\"\r" }
    for line in typed { try require(allowed.contains(line), "it types \(line)") }
    if typed.contains(where: frames.contains) { try require(typed.last == "exit\r", "the field stays on") }
  }
}

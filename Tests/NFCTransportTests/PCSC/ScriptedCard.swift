// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Synchronization

@testable import NFCTransport

/// A card connection with a table: it records the commands and answers each in turn, `6D 00` to unknown ones.
final class ScriptedCard: CardChannel {
  let readerName = "Scripted Reader"
  private let state: Mutex<(commands: [String], answers: [String: [Line]])>

  enum Line: Sendable {
    case answer(String)
    case failure(TransportError)
  }

  /// A command in hex, and its answers one after the other; the last one is repeated.
  init(_ answers: [String: [Line]]) {
    state = Mutex(([], answers))
  }

  convenience init(_ answers: KeyValuePairs<String, String>) {
    self.init(Dictionary(answers.map { ($0, [.answer($1)]) }) { $0 + $1 })
  }

  /// The commands in hex, in the order in which they came.
  var commands: [String] { state.withLock { $0.commands } }

  func transmit(_ command: [UInt8]) async throws(TransportError) -> [UInt8] {
    let hex = HexText.string(of: command, separator: " ")
    let line = state.withLock { state in
      state.commands.append(hex)
      guard let lines = state.answers[hex], let first = lines.first else { return Line.answer("6D 00") }
      if lines.count > 1 { state.answers[hex]?.removeFirst() }
      return first
    }
    switch line {
    case .answer(let text): return bytes(text)
    case .failure(let error): throw error
    }
  }
}

/// Converts hex to bytes; an empty text gives no bytes.
func bytes(_ hex: String) -> [UInt8] { HexText.bytes(of: hex) ?? [] }

/// The bytes on the wire in NFCTransport/ReaderDialects, and the answers of a sensor.
enum Wire {
  static let uid = "FF CA 00 00 00"
  static let start = "FF C2 00 00 02 81 00 00"
  static let toISO15693 = "FF C2 00 02 04 8F 02 02 03"
  static let stop = "FF C2 00 00 02 82 00 00"
  static let timer = "5F 46 04 40 0D 03 00"
  static let done = "C0 03 00 90 00"

  static let block = "11 22 33 44 55 66 77 88"
  static let next = "A1 A2 A3 A4 A5 A6 A7 A8"
  static let last = "B1 B2 B3 B4 B5 B6 B7 B8"
  static let patchInfo = "DF 00 00 01 01 02"
  /// E0 07 A0 00 00 25 90 5E.
  static let uidOnAir = "5E 90 25 00 00 A0 07 E0"

  static let three = ISO15693.Request.readBlocks(ISO15693.BlockRun(first: 3, count: 3)!)
  static let wide = ISO15693.Request.readWideBlock(0x0100, .texasInstruments)
  static let wideThree = ISO15693.Request.readWideBlocks(
    ISO15693.WideBlockRun(first: 0x0100, count: 3)!, .texasInstruments)
  static let requests: [ISO15693.Request] = [
    .readBlock(0x2A), three, .systemInformation, .patchInfo(.texasInstruments), wide, wideThree, .inventory,
  ]

  /// The tag's answer on air to each of `requests`.
  static func frame(_ request: ISO15693.Request) -> String {
    switch request {
    case .readBlock, .readWideBlock: "00 \(block)"
    case .readBlocks, .readWideBlocks: "00 \(block) \(next) \(last)"
    case .systemInformation: "00 04 \(uidOnAir) F3 07"
    case .patchInfo: "00 \(patchInfo)"
    case .inventory: "00 00 \(uidOnAir)"
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
package import NFCTransport

/// A Proxmark3 at the end of a serial line (protocol: NFCTransport/OtherReaders, "Proxmark3"). It shares no code with
/// what is tested.
package actor ProxmarkEmulator {
  /// What differs between its generations.
  package struct Firmware: Sendable, CustomStringConvertible {
    /// The first byte of its capabilities.
    var capability: UInt8
    /// What stands after `OS` in its version.
    var release: String
    var answersTwice = false
    /// The status has two bytes, of which success has no FF.
    var hasOldStatus = false

    package var description: String { "\(release) (\(capability))" }

    package static let newest = Firmware(capability: 7, release: "Iceman/master/v4.21611")
    /// One of each kind that can be used.
    package static let usable = [
      Firmware(capability: 6, release: "Iceman/master/v4.18218", answersTwice: true, hasOldStatus: true),
      Firmware(capability: 6, release: "Iceman/master/v4.18994-12-gabcdef012", answersTwice: true, hasOldStatus: true),
      Firmware(capability: 6, release: "Iceman/master/v4.20142-274-g5f2edb9bb-dirty-suspect", answersTwice: true),
      Firmware(capability: 7, release: "Iceman/master/v4.21128"), newest,
      Firmware(capability: 8, release: "Iceman/master/v4.21611-900-g1c8c3b78"),
      Firmware(capability: 9, release: "Iceman/master/release (git)"),
    ]
  }

  /// A fault of one frame to a tag.
  package enum Fault: Hashable, Sendable {
    /// The tag does not answer.
    case silence
    /// One bit of its answer is wrong.
    case wrongChecksum
    /// Success, and no answer.
    case empty
    /// Two bytes of an answer.
    case short
    case garbled
    /// The device answers neither this nor anything else.
    case hang
    /// This one is not answered at all.
    case mute

    // The following are harmless.

    /// The device asks for more time, says something to people and repeats the answer to another command, first.
    case chatter
    /// The answer comes in bytes.
    case pieces
    /// Bytes that are not a valid frame come first, as when a frame was cut off.
    case rubbish
  }

  package nonisolated let port: PseudoTerminal
  private let firmware: Firmware
  private var tag: AirTag?
  private var faults: [Int: Fault] = [:]
  private var watchers: [(count: Int, tag: AirTag?)] = []
  private var input: [UInt8] = []
  private var isImageLoaded = false
  private var hangs: Bool

  /// The number of frames that were sent to a tag.
  package private(set) var exchangeCount = 0
  package private(set) var fieldIsOn = false
  /// The host has sent something.
  package private(set) var isAsked = false
  /// True after the host has ended its session.
  package private(set) var isSessionOver = false

  /// `hangs`: nothing is ever answered, as by another device.
  package init(_ firmware: Firmware = .newest, tag: (any TagReader)? = nil, hangs: Bool = false) throws {
    port = try PseudoTerminal()
    self.firmware = firmware
    self.tag = tag.map(AirTag.init)
    self.hangs = hangs
    // Ends with the port.
    Task(executorPreference: EmulatorThread(port.path)) { [weak self, received = port.received] in
      for await bytes in received { await self?.take(bytes) }
    }
  }

  /// The fault of the frame with this number, counted from 1 and from now.
  package func spoil(_ number: Int, with fault: Fault) { faults[exchangeCount + number] = fault }

  /// Puts a tag on the device, or takes it away, when so many frames were sent, counted from now.
  package func after(_ number: Int, put tag: (any TagReader)?) {
    watchers.append((exchangeCount + number, tag.map(AirTag.init)))
  }

  /// nil takes the tag away.
  package func put(_ tag: (any TagReader)?) { self.tag = tag.map(AirTag.init) }

  // MARK: The line

  private func take(_ bytes: [UInt8]) async {
    input += bytes
    isAsked = true
    if hangs { return input = [] }
    while input.count >= 8 {
      let length = (Int(input[4]) | Int(input[5]) << 8) & 0x7FFF
      let isFrame = input.starts(with: [0x50, 0x4D, 0x33, 0x61]) && input[5] & 0x80 != 0 && length <= 512
      if isFrame, input.count < length + 10 { return }
      guard isFrame, input[8 + length] == 0x61, input[9 + length] == 0x33 else {
        // It does not find its way back.
        input = []
        return say("Error in frame reception: -8 PM3_EIO")
      }
      let data = Array(input[8..<8 + length])
      let number = UInt16(input[6]) | UInt16(input[7]) << 8
      input.removeFirst(10 + length)
      await perform(number, data)
    }
  }

  private func reply(_ number: UInt16, _ data: [UInt8], status: Int8 = 0) -> [UInt8] {
    let length = UInt16(data.count) | 0x8000
    let reason: UInt8 = firmware.hasOldStatus && status == 0 ? 0x00 : 0xFF
    return [0x50, 0x4D, 0x33, 0x62, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(bitPattern: status), reason]
      + [UInt8(number & 0xFF), UInt8(number >> 8)] + data + [0x62, 0x33]
  }

  private func say(_ text: String) { port.write(reply(0x0100, [0x01, 0x00] + Array(text.utf8))) }

  // MARK: The commands

  private func perform(_ number: UInt16, _ data: [UInt8]) async {
    isSessionOver = false
    switch number {
    case 0x0109: port.write(reply(number, data))
    case 0x0112:
      let flags: [UInt8] = [0x82, 0xF7, 0x2F, 0x00]
      port.write(reply(number, [firmware.capability, 0, 0, 0, 0, 0xC4, 0xA0, 0, 0] + flags))
    case 0x0107: port.write(reply(number, version))
    case 0x0113: isSessionOver = true
    case 0x0430: fieldIsOn = false
    case 0x0313: await transmit(data)
    default: say("unknown command:: 0x\(String(number, radix: 16))")
    }
  }

  private var version: [UInt8] {
    let build = "\(firmware.release) 2026-03-20 10:00:00 0123456789\n"
    let isOld = firmware.hasOldStatus
    let text =
      isOld
      ? " [ ARM ]\n  bootrom: \(build)       os: \(build)"
      : " \u{1B}[33m[ ARM ]\u{1B}[0m\n  Bootrom.... \(build)  OS......... \(build)"
    let bytes = Array(text.utf8) + [0]
    return [0x4F, 0x0A, 0x0B, 0x27, 0x00, 0x50, 0x05, 0x00, UInt8(bytes.count), 0, 0, 0] + bytes
  }

  private func transmit(_ data: [UInt8]) async {
    defer { for watcher in watchers where watcher.count == exchangeCount { tag = watcher.tag } }
    exchangeCount += 1
    guard data.count >= 3, Int(data[1]) | Int(data[2]) << 8 == data.count - 3 else {
      return port.write(reply(0x0313, [], status: -2))
    }
    if data[0] & 0x01 != 0 { fieldIsOn = true }
    // Loads the program of its chip first.
    if !isImageLoaded { port.write(reply(0x0116, [0xDC, 0x05])) }
    isImageLoaded = true
    // 1-of-4 coding, and listening for the answer.
    let isHeard = fieldIsOn && data[0] & 0x30 == 0x30
    var answer = isHeard ? await tag?.answer(to: Array(data[3...])) : nil
    if data[0] & 0x02 == 0 { fieldIsOn = false }

    let fault = faults[exchangeCount]
    var status: Int8 = 0
    switch fault {
    case .silence: answer = nil
    case .wrongChecksum: answer?[1] ^= 0x10
    case .empty: answer = []
    case .short: answer = answer.map { Array($0.prefix(2)) }
    case .garbled: (answer, status) = ([], -22)
    case .hang:
      hangs = true
      return
    case .mute: return
    case nil, .chatter, .pieces, .rubbish: break
    }
    if answer == nil { status = -4 }
    let whole = reply(0x0313, answer ?? [], status: status)
    switch fault {
    case .chatter:
      port.write(reply(0x0116, [0x01, 0x00]))
      say("the tag is here")
      port.write(reply(0x0109, [0x55]) + reply(0x0107, version))
      port.write(whole)
    case .pieces: for byte in whole { port.write([byte]) }
    case .rubbish: port.write(Array("AT\r".utf8) + [0x50, 0x4D, 0x33, 0x62, 0x08, 0x80] + whole)
    default: port.write(whole)
    }
    if firmware.answersTwice, status == 0 { port.write(whole) }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The commands of a Proxmark3 that are sent, and the frames that it sends without being asked (NFCTransport/OtherReaders,
/// "Commands"). A command that writes to a tag cannot be expressed.
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

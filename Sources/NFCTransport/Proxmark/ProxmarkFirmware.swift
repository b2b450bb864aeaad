// SPDX-License-Identifier: Apache-2.0

/// A Proxmark3's firmware as it describes itself, and whether sensors can be read with it (NFCTransport/OtherReaders,
/// "Versions").
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

  /// `Proxmark3 v4.21611`.
  var name: String { release.map { "Proxmark3 v4.\($0)" } ?? "Proxmark3" }

  /// True for releases that send every answer of a tag twice.
  var answersTwice: Bool { capabilityVersion == Self.oldestList }

  /// The reason why sensors cannot be read with it, and what helps; nil if they can.
  ///
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

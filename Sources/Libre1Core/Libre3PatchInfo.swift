// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The facts in the patch info of a Libre 3 and its kin, which is all that they show without a key (Libre1Core/MemoryFormat,
/// "Patch info of a Libre 3").
package struct Libre3PatchInfo: Hashable, Sendable {
  /// The stage of its life. The bytes are those of DiaBLE; LibreCRKit knows only `notActivated`.
  package enum State: UInt8, Sendable, CaseIterable {
    case manufacturing
    case notActivated
    case insertionDetection
    case insertionFailed
    case paired
    case expired
    case terminated
    case error
    case errorTerminated

    /// The word used in JSON.
    package var name: String {
      switch self {
      case .manufacturing: "manufacturing"
      case .notActivated: "not_activated"
      case .insertionDetection: "insertion_detection"
      case .insertionFailed: "insertion_failed"
      case .paired: "paired"
      case .expired: "expired"
      case .terminated: "terminated"
      case .error: "error"
      case .errorTerminated: "error_terminated"
      }
    }
  }

  /// nil for a byte without a known meaning.
  package let state: State?
  /// Minutes after which it ends; nil if it says none.
  package let maxLifeMinutes: Int?
  /// The nine characters of the serial number; nil if they were removed from a recording, or cannot be one.
  package let serial: String?

  /// The facts of a long patch info; nil for another one.
  package init?(_ info: PatchInfo) {
    guard info.count == 24, info.family == .libre3 || info.family == .lingo else { return nil }
    let life = Int(info[6]) | Int(info[7]) << 8
    maxLifeMinutes = life == 0 ? nil : life
    state = State(rawValue: info[14])
    let characters = info.bytes.suffix(9)
    let isSerial = characters.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    serial = isSerial ? String(decoding: characters, as: UTF8.self) : nil
  }
}

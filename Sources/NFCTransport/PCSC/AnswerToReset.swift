// SPDX-License-Identifier: Apache-2.0

/// A reader's description of a card that is laid on it.
///
/// A tag without a processor has no answer to reset: the reader makes one up (PC/SC part 3; read: Microsoft's NFC
/// documents, Identiv's manual, pcsc-tools):
///
/// | bytes | meaning |
/// |---|---|
/// | `3B 8F 80 01 80 4F 0C` | fifteen bytes follow, an application identifier among them |
/// | `A0 00 00 03 06` | the PC/SC workgroup: a storage card |
/// | one | the standard: `09`…`0C` are ISO 15693 parts 1 to 4 |
/// | two | the chip; ignored, because readers disagree about it (`00 12`, `00 00` for the same maker) |
/// | four zeros, check byte | ignored too |
///
/// A wrong check byte does not reject a tag: the reader made these bytes up, they were never on air.
struct AnswerToReset: Hashable, Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Verdict on whether the card can be a sensor.
  enum Verdict: Hashable, Sendable {
    case iso15693
    /// A storage card of another standard.
    case otherCard
    /// Not a description of a storage card: the UID decides (`CardUID`).
    case undecided
  }

  var verdict: Verdict {
    let workgroup: [UInt8] = [0xA0, 0x00, 0x00, 0x03, 0x06]
    let places = bytes.indices.dropLast(workgroup.count)
    guard let start = places.first(where: { bytes[$0...].starts(with: workgroup) }) else { return .undecided }
    return (0x09...0x0C).contains(bytes[start + workgroup.count]) ? .iso15693 : .otherCard
  }
}

// SPDX-License-Identifier: Apache-2.0

/// PC/SC part 3's transparent session: frames go on air unchanged (NFCTransport/ReaderDialects, "Transparent session").
///
/// Read: a trace of an ACR1552U with an ICODE tag (NXP community 2093136), which is a test here, and drivers of several
/// readers. Untested on hardware.
struct TransparentSession: ReaderDialect {
  let name = "transparent-session"

  let opening: [[UInt8]] = [
    [0xFF, 0xC2, 0x00, 0x00, 0x02, 0x81, 0x00, 0x00],
    [0xFF, 0xC2, 0x00, 0x02, 0x04, 0x8F, 0x02, 0x02, 0x03],
  ]

  let closing: [[UInt8]] = [[0xFF, 0xC2, 0x00, 0x00, 0x02, 0x82, 0x00, 0x00]]

  /// 200 ms. The longest exchange with a sensor takes 11 ms on air (computed: NFCTransport/ReadingOverTheAir,
  /// "Timing").
  private static let timer: [UInt8] = [0x5F, 0x46, 0x04, 0x40, 0x0D, 0x03, 0x00]

  func isOpened(by answer: ResponseAPDU) -> Bool {
    guard answer.status.outcome == nil, let objects = DataObject.list(answer.data) else { return false }
    return Self.failure(objects) == nil
  }

  func command(for request: ISO15693.Request) -> [UInt8]? {
    let frame = request.frame
    return pseudoAPDU(0xC2, 0x00, 0x01, Self.timer + [0x95, UInt8(clamping: frame.count)] + frame)
  }

  func outcome(of answer: ResponseAPDU, to request: ISO15693.Request) -> DialectOutcome {
    if let outcome = answer.status.outcome { return outcome }
    guard let objects = DataObject.list(answer.data) else { return .malformed(length: answer.data.count) }
    if Self.isGarbled(objects) { return .silence }
    if let outcome = Self.failure(objects) { return outcome }
    let frames = objects.filter { $0.tag == 0x97 }
    guard let frame = frames.first?.value, !frame.isEmpty else { return .failure }
    return frames.count == 1 ? .answer(frame) : .malformed(length: answer.data.count)
  }

  /// True if a bit of the answer was lost: the answer then counts as missing.
  private static func isGarbled(_ objects: [DataObject]) -> Bool {
    objects.contains { object in
      let first = object.value.first ?? 0
      return object.tag == 0x96 && first & 0x0F != 0 || object.tag == 0x92 && first & 0x07 != 0
    }
  }

  /// Outcome of the first object that failed; nil if none did. A report with its position always exists.
  private static func failure(_ objects: [DataObject]) -> DialectOutcome? {
    let reports = objects.filter { $0.tag == 0xC0 }
    guard !reports.isEmpty, reports.allSatisfy({ $0.value.count == 3 }) else { return .failure }
    return reports.lazy.compactMap { StatusWord($0.value[1], $0.value[2]).outcome }.first
  }
}

/// A value preceded by its tag and length: BER, as far as PC/SC part 3 uses it.
struct DataObject: Hashable, Sendable {
  /// One byte, or two if the low five bits of the first are set: `97`, `5F46`.
  let tag: UInt16
  let value: [UInt8]

  static func list(_ bytes: [UInt8]) -> [DataObject]? {
    var rest = bytes[...]
    var objects: [DataObject] = []
    while let first = rest.popFirst() {
      var tag = UInt16(first)
      if first & 0x1F == 0x1F {
        guard let second = rest.popFirst() else { return nil }
        tag = tag << 8 | UInt16(second)
      }
      guard let length = length(&rest), length <= rest.count else { return nil }
      objects.append(DataObject(tag: tag, value: Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    return objects
  }

  /// Reads a length: one byte up to 127, otherwise `81` and one byte or `82` and two bytes.
  private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let first = rest.popFirst() else { return nil }
    guard first >= 0x80 else { return Int(first) }
    let width = Int(first & 0x7F)
    guard (1...2).contains(width), rest.count >= width else { return nil }
    defer { rest = rest.dropFirst(width) }
    return rest.prefix(width).reduce(0) { $0 << 8 | Int($1) }
  }
}

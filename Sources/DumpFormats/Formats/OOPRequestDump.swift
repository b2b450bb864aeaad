// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Requests of apps to servers that decoded memories for them, one a line, also as a whole URL or in a log
/// (DumpFormats/Formats, "Requests to servers"). The access token is a secret; it is ignored, and never part of a
/// message.
struct OOPRequestDump: DumpFormat {
  let name = "oop-request"
  let summary = "a request with b64contents= (LibreOOPWeb) or content= (glucose.space), one a line"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let lines = try file.lines()
    guard lines.bytes.contains(text: "contents=") || lines.bytes.contains(text: "content="),
      lines.contains(where: { line in Self.words(of: line).contains { Request($0) != nil } })
    else { throw .notThisFormat(lacks: "a request with b64contents= or content=") }
    var rest = lines.makeIterator()
    var number = 0
    var words = AnyIterator<ArraySlice<UInt8>> { nil }
    return DumpSequence {
      while true {
        while let word = words.next() {
          if let request = Request(word) { return request.dump(line: number) }
        }
        guard let line = rest.next() else { return nil }
        number = line.number
        words = AnyIterator(Self.words(of: line).makeIterator())
      }
    }
  }

  /// The words of a line that can be a request: these separators do not occur unescaped in one.
  private static func words(of line: TextLine) -> some Sequence<ArraySlice<UInt8>> {
    line.bytes.parts { TextLine.isSpace($0) || "\"'`<>()[]{},;|\\#".utf8.contains($0) }
  }
}

private struct Request {
  private var base64: ArraySlice<UInt8>?
  private var hex: ArraySlice<UInt8>?
  private var uid: ArraySlice<UInt8>?
  private var patchInfo: ArraySlice<UInt8>?
  private var timestamp: ArraySlice<UInt8>?

  /// The request in a text; nil unless it has `b64contents`, or `content` with other parameters: alone it occurs on any
  /// web page.
  init?(_ text: ArraySlice<UInt8>) {
    var count = 0
    for parameter in text.parts({ $0 == UInt8(ascii: "&") }) {
      guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let before = parameter[..<equals]
      let end = before.lastIndex { !$0.isLetterOrDigit && !"_-".utf8.contains($0) }
      let name = before[(end.map { $0 + 1 } ?? before.startIndex)...]
      let value = parameter[(equals + 1)...]
      count += 1
      switch String(decoding: name.prefix(16), as: UTF8.self) {
      case "b64contents": base64 = value
      case "content": hex = value
      case "patchUid": uid = value
      case "patchInfo": patchInfo = value
      case "timestamp": timestamp = value
      default: break
      }
    }
    guard base64 != nil || hex != nil && count > 1 else { return nil }
  }

  func dump(line: Int) -> DumpSequence.Element {
    do throws(DumpError) {
      var image = MemoryImage(bytes: try memory(line: line))
      try DumpLength.check(image.bytes)
      if let patchInfo, !patchInfo.isEmpty {
        image.patchInfo = Self.hexBytes(patchInfo).flatMap(PatchInfo.init)
        if image.patchInfo == nil { throw .badLine(line: line, expected: "6 to 24 bytes in patchInfo=") }
      }
      image.readAt = timestamp.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }.flatMap(AppFacts.readAt)
      let uid = uid.flatMap { $0.isEmpty ? nil : Self.hexBytes($0) ?? [] }
      return .success(
        try AppFacts.dump(
          of: image, uid: uid, line: line, invalid: .badLine(line: line, expected: "a UID in patchUid=")))
    } catch {
      return .failure(error)
    }
  }

  private func memory(line: Int) throws(DumpError) -> [UInt8] {
    if let base64 {
      if let bytes = Self.unescaped(base64).flatMap(Base64Text.bytes(of:)) { return bytes }
      throw .badLine(line: line, expected: "base64 in b64contents=")
    }
    if let bytes = hex.flatMap(Self.hexBytes) { return bytes }
    throw .badLine(line: line, expected: "hex digits in content=")
  }

  private static func hexBytes(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    unescaped(value).flatMap { HexText.bytes(of: String(decoding: $0, as: UTF8.self)) }
  }

  /// The text with `%3D` replaced by `=`; nil for a text longer than any of these values. A plus is kept, although it
  /// means a space in a form, because some clients do not escape the plus of base64.
  private static func unescaped(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    value.count <= 1 << 16 ? PercentEncoding.decoded(value) : nil
  }
}

extension ArraySlice<UInt8> {
  /// The parts between the separators one at a time, because a line of sixty million must not become a list.
  fileprivate func parts(_ isBetween: @escaping (UInt8) -> Bool) -> some Sequence<ArraySlice<UInt8>> {
    sequence(state: self) { rest in
      guard let start = rest.firstIndex(where: { !isBetween($0) }) else { return nil }
      let end = rest[start...].firstIndex(where: isBetween) ?? rest.endIndex
      defer { rest = rest[end...] }
      return rest[start..<end]
    }
  }
}

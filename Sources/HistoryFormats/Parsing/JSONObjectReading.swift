// SPDX-License-Identifier: Apache-2.0
import TextFormats

extension HistoryFile {
  /// Reads the objects of a JSON array, or one object after the other, piece by piece.
  ///
  /// Throws `badLine` for what is no JSON, `badField` for a member that is missing or of another type, `truncated`.
  func forEachObject<Value: Decodable>(
    _ type: Value.Type, _ body: (Value, JSONObjects.Object) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    var objects = JSONObjects()
    try forEachChunk { (chunk) throws(HistoryError) in
      objects.append(chunk)
      while let object = try objects.next() {
        let value: Value
        do throws(JSONError) {
          value = try JSONReading.value(type, from: object.text)
        } catch {
          throw HistoryError(error, line: object.line)
        }
        try body(value, object)
      }
    }
    try objects.finish()
  }
}

extension [UInt8] {
  /// True if this may be the beginning of JSON objects, in an array or one after the other.
  var looksLikeJSONObjects: Bool {
    let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    return text.first { !TextLine.isSpace($0) }.map { "[{".utf8.contains($0) } ?? false
  }
}

extension HistoryError {
  fileprivate init(_ error: JSONError, line: Int) {
    self =
      switch error {
      case .notJSON: .badLine(line, "the object that begins here is no JSON, or has a number that cannot be")
      case .badField(let path): .badField(line: line, name: path, value: "missing, or of another type")
      case .tooLarge(let found, let limit): .tooLarge(found: found, limit: limit)
      }
  }
}

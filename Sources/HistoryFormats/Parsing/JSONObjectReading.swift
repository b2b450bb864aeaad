// SPDX-License-Identifier: Apache-2.0
import TextFormats

extension HistoryFile {
  /// Reads the objects of a JSON array, or a sequence of objects, in pieces, and counts those that `body` refuses.
  func forEachObject(
    refused: inout RefusedRecords, _ body: (JSONObjects.Object) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    var objects = JSONObjects()
    try forEachChunk { (chunk) throws(HistoryError) in
      objects.append(chunk)
      while let object = try objects.next() {
        try refused.collect { () throws(HistoryError) in try body(object) }
      }
    }
    try objects.finish()
  }

  /// Decodes the objects. Refused are also those that are not JSON, lack a member or have one of another type.
  func forEachObject<Value: Decodable>(
    _ type: Value.Type, refused: inout RefusedRecords, _ body: (Value, JSONObjects.Object) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    try forEachObject(refused: &refused) { (object) throws(HistoryError) in
      let value: Value
      do throws(JSONError) {
        value = try JSONReading.value(type, from: object.text)
      } catch {
        throw HistoryError(error, line: object.line)
      }
      try body(value, object)
    }
  }
}

extension [UInt8] {
  /// True if this may be the beginning of JSON objects, in an array or in sequence.
  var looksLikeJSONObjects: Bool {
    let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    return text.first { !TextLine.isSpace($0) }.map { "[{".utf8.contains($0) } ?? false
  }
}

extension HistoryError {
  init(_ error: JSONError, line: Int) {
    self =
      switch error {
      case .notJSON: .badLine(line, "the object that begins here is invalid JSON, or has an invalid number")
      case .badField(let path): .badField(line: line, name: path, value: "missing, or of the wrong type")
      case .tooLarge(let found, let limit): .tooLarge(found: found, limit: limit)
      }
  }
}

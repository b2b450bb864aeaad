// SPDX-License-Identifier: Apache-2.0
import TextFormats

enum EncodedText {
  static func json<Value: Decodable>(_ type: Value.Type, from text: some Collection<UInt8>) throws(DumpError) -> Value {
    do throws(JSONError) {
      return try JSONReading.value(type, from: text)
    } catch {
      throw DumpError(error)
    }
  }
}

extension DumpSequence {
  /// A value that cannot be read gives a failure in its place. Those without any of the `signatures` are skipped
  /// without decoding, because millions of `{}` would take minutes.
  init(
    valuesOf text: [UInt8], having signatures: [String],
    _ dumps: @escaping (JSONValues.Value) throws(DumpError) -> [Element]
  ) {
    var values = JSONValues(text)
    var found: ArraySlice<Element> = []
    self.init {
      do throws(DumpError) {
        while found.isEmpty {
          guard let value = try Self.next(in: &values) else { return nil }
          if signatures.contains(where: value.text.contains(text:)) { found = try dumps(value)[...] }
        }
        return found.removeFirst()
      } catch {
        return .failure(error)
      }
    }
  }

  private static func next(in values: inout JSONValues) throws(DumpError) -> JSONValues.Value? {
    do throws(JSONError) {
      return try values.next()
    } catch {
      throw DumpError(error)
    }
  }
}

extension DumpError {
  init(_ error: JSONError) {
    self =
      switch error {
      case .notJSON(let words): .badJSON(words)
      case .badField(let path): .badField(path, value: nil)
      case .tooLarge(let found, let limit): .tooLarge(found: found, limit: limit)
      }
  }
}

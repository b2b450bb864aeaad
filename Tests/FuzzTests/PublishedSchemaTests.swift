// SPDX-License-Identifier: Apache-2.0
import LibreDocuments
import LibreKit
import Testing

@Suite("The check of documents against published schemas")
struct PublishedSchemaTests {
  private func isRefused(_ document: String, by schema: String) -> Bool {
    do throws(OracleFailure) {
      try PublishedSchema("test", schema).check(document.utf8)
      return false
    } catch {
      return true
    }
  }

  @Test(
    "accepts matching documents and refuses others, for each keyword",
    arguments: [
      (#"{"type": ["integer", "null"]}"#, "1", "1.5"), (#"{"type": "boolean"}"#, "true", "1"),
      (#"{"const": "a"}"#, #""a""#, #""b""#), (#"{"enum": ["a", null]}"#, "null", "0"),
      (#"{"minimum": 1, "maximum": 3}"#, "3", "4"), (#"{"minimum": 1}"#, #""text""#, "0"),
      (#"{"pattern": "^[0-9]{2}$"}"#, #""12""#, #""123""#),
      (#"{"pattern": "^([0-9A-F]{2}){0,2}$"}"#, #""0AFF""#, #""0AFF00""#),
      (#"{"maxItems": 1, "items": {"type": "number"}}"#, "[1]", "[1, 2]"), (#"{"items": {"const": 1}}"#, "[1]", "[2]"),
      (#"{"minItems": 1}"#, "[1]", "[]"), (#"{"uniqueItems": true}"#, "[1, 2]", "[1, 1]"),
      (#"{"properties": {"a": {"const": 1}}}"#, #"{"b": 2}"#, #"{"a": 2}"#),
      (#"{"required": ["a"]}"#, #"{"a": null}"#, "{}"),
      (#"{"properties": {"a": {}}, "additionalProperties": false}"#, #"{"a": 1}"#, #"{"b": 1}"#),
      (#"{"properties": {"a": {}}, "additionalProperties": {"type": "number"}}"#, #"{"a": "", "b": 1}"#, #"{"b": ""}"#),
      (#"{"oneOf": [{"minimum": 1}, {"maximum": 3}]}"#, "0", "2"),
      (##"{"$ref": "#/$defs/a", "$defs": {"a": {"const": 1}}}"##, "1", "2"),
    ])
  func words(schema: String, good: String, bad: String) {
    #expect(!isRefused(good, by: schema))
    #expect(isRefused(bad, by: schema))
  }

  @Test("refuses every document if the schema has an unknown keyword")
  func unknownWord() {
    #expect(isRefused("1", by: #"{"multipleOf": 1}"#))
    #expect(isRefused("1", by: "no schema"))
  }

  @Test("knows every keyword of every published schema", arguments: SchemaDocument.all)
  func published(document: SchemaDocument) throws {
    // A document that fits nothing is refused for what it lacks, never for a word.
    do throws(OracleFailure) {
      try PublishedSchema(document).check("{}".utf8)
    } catch {
      #expect(!error.description.contains("is not known here"))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import LibreKit
import TextFormats

/// The members of an input line that libre does not know, such as `patient` and `visit`, for the line of the answer.
///
/// They are kept in the text of the input, in their order. libre knows the members of its own documents, by the line's
/// `schema`, and those that it reads from an object of another program. `input` is never known, so that the members of an
/// answer that is decoded again are kept too.
package struct KeptMembers: Sendable {
  /// An object with the members; `null` for a line that is not an object.
  let json: [UInt8]

  /// Takes the members of a line; nil for a line that could not be read.
  package init(of line: [UInt8]?) {
    guard let line, let object = JSONMembers(line) else {
      json = Array("null".utf8)
      return
    }
    let known = Self.known(object, line)
    let kept = object.members.filter { !known.contains($0.name) }.map(\.text)
    json = Array("{".utf8) + kept.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
  }

  private static func known(_ object: JSONMembers, _ line: [UInt8]) -> Set<String> {
    for member in object.members where member.name == "schema" {
      // Some programs escape the slash.
      let text = String(decoding: member.text, as: UTF8.self).replacing("\\/", with: "/")
      guard let document = SchemaDocument.all.first(where: { text.hasSuffix("\"\($0.identifier)\"") }) else { continue }
      return Set(document.memberNames).subtracting([name])
    }
    let formats = Catalogue.standard.dumpFormats.compactMap { $0 as? any JSONDumpFormat }
    return formats.first { $0.signatures.contains(where: line.contains(text:)) }?.members ?? []
  }

  private static let name = "input"

  /// The member of an answer; it is left out unless members are kept.
  static func field<Row>(_ members: @escaping @Sendable (Row) -> KeptMembers?) -> Field<Row> {
    let schema = JSONSchema.type("object").orNull.described(
      "With --keep-members: the members of the input line that libre does not know; null for a line that is not an object."
    )
    return Field(writing: name, schema, when: { members($0) != nil }) { row, json in
      json.verbatim(members(row)?.json ?? [])
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import LibreDocuments

struct SchemaCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    "schema", "Print the JSON Schema of a document.",
    discussion: """
      Examples:
        libre schema reading
        libre schema error > libre.error.schema.json
      """)

  @Argument(help: "\(SchemaDocument.all.map { "\($0.name) (\($0.summary))" }.joined(separator: ", ")).")
  var name: SchemaDocument

  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws { try session.write(name.jsonSchema + "\n") }
}

extension SchemaDocument: ExpressibleByArgument {
  init?(argument: String) {
    guard let document = SchemaDocument.all.first(where: { $0.name == argument }) else { return nil }
    self = document
  }

  static var allValueStrings: [String] { SchemaDocument.all.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

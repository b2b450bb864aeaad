// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
import LibreDocuments
import LibreKit

struct SchemaCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of a document.",
    discussion: """
      Examples:
        libre schema reading
        libre schema error > libre.error.schema.json
      """)

  @Argument(help: "\(Registry.documents.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: ", ")).")
  var name: SchemaDocument

  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws(LibreError) { try session.write(name.jsonSchema + "\n") }
}

extension SchemaDocument: ExpressibleByArgument {}

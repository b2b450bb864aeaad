// SPDX-License-Identifier: Apache-2.0
package import LibreKit
package import TextFormats

/// `libre.config/1`: every setting with its value, the origin of the value, and the allowed values.
package enum ConfigJSON {
  package static let document = SchemaDocument(
    "config", summary: "the settings (libre config show --json)",
    description: "Every setting with its value and the origin of the value.", fields.members)

  /// `path` is that of the configuration file, even if it does not exist; nil without `XDG_CONFIG_HOME` and `HOME`.
  package static func write(_ values: [(Setting, Configuration.Value)], path: String?, to writer: inout JSONWriter) {
    document.write(fields, (path, values), to: &writer)
  }

  private typealias Entry = (setting: Setting, value: Configuration.Value)
  private typealias Row = (path: String?, values: [Entry])

  private static let fields: Fields<Row> = [
    Field("file", .string, "The path of the configuration file, even if it does not exist.") { $0.path },
    Field("settings", array: setting) { $0.values },
  ]

  private static let setting: Fields<Entry> = [
    Field("key", .string, "The key in the file; table.key for a key in a table.") { $0.setting.key },
    Field("value") { $0.value.text },
    Field("origin", .string, "flag, default, the name of the variable or the path of the file.") {
      $0.value.origin.text
    },
    Field("default") { $0.setting.defaultValue },
    Field("allowed", .string, "The allowed values, in words.") { $0.setting.allowed },
    Field("summary") { $0.setting.summary },
    Field("variable", .string, "The environment variable that sets it.") { $0.setting.variable },
  ]
}

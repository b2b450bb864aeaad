// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A setting of libre, with the value that counts now.
package typealias SettingInUse = (
  key: String, value: String, origin: String, defaultValue: String, allowed: String, summary: String, variable: String
)

/// `libre.config/1`: every setting with its value, the origin of the value, and the allowed values.
package enum ConfigJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "config", summary: "the settings (libre config show --json)",
    description: "Every setting with its value and the origin of the value.", fields.members)

  /// `path` is that of the configuration file, even if it does not exist; nil without `XDG_CONFIG_HOME` and `HOME`.
  package static let fields: Fields<(path: String?, settings: [SettingInUse])> = [
    Field("file", .string, "The path of the configuration file, even if it does not exist.") { $0.path },
    Field("settings", array: setting) { $0.settings },
  ]

  private static let setting: Fields<SettingInUse> = [
    Field("key", .string, "The key in the file; table.key for a key in a table.") { $0.key },
    Field("value") { $0.value },
    Field("origin", .string, "flag, default, the name of the variable or the path of the file.") {
      $0.origin
    },
    Field("default") { $0.defaultValue },
    Field("allowed", .string, "The allowed values, in words.") { $0.allowed },
    Field("summary") { $0.summary },
    Field("variable", .string, "The environment variable that sets it.") { $0.variable },
  ]
}

// SPDX-License-Identifier: Apache-2.0
public import LibreKit
public import TextFormats

/// `libre.config/1`: every setting with its value, where that comes from, and what the setting takes.
public enum ConfigJSON {
  public static let document = SchemaDocument(
    "config", summary: "the settings (libre config show --json)",
    description: "Every setting with its value, and where the value comes from.", fields.members)

  /// Writes the settings with their values, in the order in which `config show` lists them.
  ///
  /// `path` is the place of the configuration file, whether the file exists or not; nil if neither `XDG_CONFIG_HOME` nor
  /// `HOME` is set.
  public static func write(_ values: [(Setting, Configuration.Value)], path: String?, to writer: inout JSONWriter) {
    document.write(fields, Row(path: path, values: values), to: &writer)
  }

  private struct Row {
    let path: String?
    let values: [(setting: Setting, value: Configuration.Value)]
  }

  private static let fields: Fields<Row> = [
    Field("file", .string, "The place of the configuration file, whether it exists or not.") { $0.path },
    Field("settings", array: setting) { $0.values },
  ]

  private static let setting: Fields<(setting: Setting, value: Configuration.Value)> = [
    Field("key", .string, "In the file; with a dot also under its table.") { $0.setting.key },
    Field("value") { $0.value.text },
    Field("origin", .string, "flag, default, the variable or the path of the file.") { $0.value.origin.text },
    Field("default") { $0.setting.defaultValue },
    Field("allowed", .string, "The values that it takes, in words.") { $0.setting.allowed },
    Field("summary") { $0.setting.summary },
    Field("variable", .string, "In the environment.") { $0.setting.variable },
  ]
}

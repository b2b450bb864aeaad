// SPDX-License-Identifier: Apache-2.0
package import LibreDocuments
package import LibreKit
import SensorHistory
package import TextFormats

/// Adds and removes rules for alerts in the configuration file, and keeps all other text unchanged.
package enum AlertFile {
  /// - Throws: `badOption` if the name is taken, and errors of the new table.
  package static func add(
    _ name: String, _ keys: [(String, TOMLValue)], _ session: Session
  ) throws(LibreError) -> AlertSetup {
    let (path, text) = try ConfigurationFile.text(environment: session.environment)
    if try ConfigurationFile(path: path, bytes: text.bytes).alerts[name] != nil {
      throw .configuration(
        .badOption(name: "--name", value: name, allowed: "another name; \(name) is already in \(path)"))
    }
    let table = TOMLValue.table(Dictionary(keys) { $1 })
    let setup = try AlertSetup(path: path, name: name, table, unit: session.configuration.unit)
    let place = [AlertSetup.table, name]
    try ConfigurationFile.write(text, to: path, place) { $0.append(table: place, keys) }
    return setup
  }

  package static func remove(_ name: String, environment: [String: String]) throws(LibreError) {
    let (path, text) = try ConfigurationFile.text(environment: environment)
    let place = [AlertSetup.table, name]
    try ConfigurationFile.write(text, to: path, place) { $0.remove(table: place) }
  }
}

extension Session {
  /// The rules for alerts with these names, or all of them. Each has its error, so that an invalid one can be switched off
  /// or removed, and others with it.
  /// - Throws: `badOption` for an unknown name.
  package func alertSetups(
    named names: [String] = []
  ) throws(LibreError) -> [(name: String, setup: Result<AlertSetup, LibreError>)] {
    let all = file?.alertSetups() ?? []
    for name in names where !all.contains(where: { $0.name == name }) {
      let known = all.map(\.name).joined(separator: ", ")
      throw .configuration(
        .badOption(
          name: "the alert", value: name, allowed: known.isEmpty ? "libre alerts add first, which sets one up" : known))
    }
    return all.filter { names.isEmpty || names.contains($0.name) }
  }

  /// The valid rules with what they have told. The error of an invalid one is for `libre config check`.
  package func alertViews() throws(LibreError) -> [AlertView] {
    let setups = (file?.alertSetups() ?? []).compactMap { try? $0.setup.get() }
    if setups.isEmpty { return [] }
    let memories = try libre(existingStore()?.alertMemories()) ?? [:]
    return setups.map { setup in
      AlertView(
        setup.rule, ways: setup.ways.map(\.word), isEnabled: setup.isEnabled, memory: memories[setup.rule.name])
    }
  }
}

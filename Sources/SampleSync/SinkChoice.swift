// SPDX-License-Identifier: Apache-2.0
package import LibreKit

extension ConfigurationFile {
  /// Returns the sinks with these names, or all of them, by name.
  ///
  /// An empty name is an empty choice, never "all".
  ///
  /// - Throws: `LibreError.sink`: `noneChosen`, `noSuchSink`; `noSinks` without any sink.
  package static func sinks(
    of file: ConfigurationFile?, named names: [String]
  ) throws(LibreError) -> [(name: String, setup: Result<SinkSetup, LibreError>)] {
    let all = file?.sinkSetups() ?? [:]
    if names.isEmpty {
      guard !all.isEmpty else { throw .sink(.noSinks) }
      return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
    var chosen: [(name: String, setup: Result<SinkSetup, LibreError>)] = []
    for name in names where !chosen.contains(where: { $0.name == name }) {
      guard !name.isEmpty else { throw .sink(.noneChosen) }
      guard let setup = all[name] else { throw .sink(.noSuchSink(name, known: all.keys.sorted())) }
      chosen.append((name, setup))
    }
    return chosen
  }
}

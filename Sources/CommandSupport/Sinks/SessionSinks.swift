// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreDocuments
package import LibreKit
import SampleStore
package import SampleSync
package import TextFormats

/// The sinks of the person of a run.
extension Session {
  /// The sinks in the configuration as the command has read it.
  package var sinkSetups: SinkSetups { file?.sinkSetups() ?? [:] }

  package func sinks(
    named names: [String]
  ) throws(LibreError) -> [(name: String, setup: Result<SinkSetup, LibreError>)] {
    try ConfigurationFile.sinks(of: file, named: names)
  }

  package func sinkViews() throws(LibreError) -> [SinkView] {
    // Loaded again, because it may have changed.
    let file = try ConfigurationFile.load(environment: environment)
    return try SinkView.all(file?.sinkSetups() ?? [:], path: storePath(), environment: environment, now: LocalTime.now)
  }

  package func sinkView(named name: String) throws(LibreError) -> SinkView {
    let views = try sinkViews()
    if let view = views.first(where: { $0.name == name }) { return view }
    throw .sink(.noSuchSink(name, known: views.map(\.name)))
  }

  /// Writes the section and the secret, creates the sink's outbox in the store, and prints the sink.
  /// - Throws: `sink(exists)` before anything is written.
  package func add(_ setup: SinkSetup, secret: Secret?) throws {
    if try ConfigurationFile.load(environment: environment)?.sinkSetups()[setup.name] != nil {
      throw LibreError.sink(.exists(setup.name, path: ConfigurationFile.path(environment: environment) ?? ""))
    }
    if let secret { try SinkSecret.write(secret, to: SinkFile.secretPath(of: setup.name, environment: environment)) }
    try SinkFile.add(setup, environment: environment)
    do throws(LibreError) {
      try Session.openForWriting(storePath()).enrol(setup, environment: environment, now: LocalTime.now)
    } catch {
      // Half a sink would be in the way of the next attempt.
      try? SinkFile.remove(setup.name, environment: environment)
      throw error
    }
    let views = try sinkViews()
    let view = views.first { $0.name == setup.name }
    if let view { try write(SinksTable(style: style).text(of: view)) }
    let duplicate = views.first {
      $0.name != setup.name && $0.setup?.type.name == setup.type.name && $0.destination != nil
        && $0.destination == view?.destination
    }
    if let duplicate {
      Self.notify("\(duplicate.name) has the same receiver, which now gets every sample twice", level: .warning)
    }
    if setup.type.keepsStateOnly, setup.backfillDays == 0 {
      remark(
        "a broker keeps no past values, so \(setup.name) gets those from now on, and the newest one that is here",
        resolution: "libre sink add --backfill-days DAYS for earlier ones too")
    }
    remark(
      "nothing is sent yet",
      resolution: setup.type.takesSamples
        ? "libre sink test \(setup.name), then libre sync" : "libre alerts add low --tell sink:\(setup.name)")
  }
}

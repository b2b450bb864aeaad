// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import LibreDocuments
import LibreKit
import SampleSinks
import SampleSync

/// Sets up sinks, for `sink add` and `setup`.
extension Session {
  /// Writes the section and the secret, creates the sink's outbox in the store, and prints the sink.
  ///
  /// - Throws: `sink(exists)` before anything is written.
  func add(_ setup: SinkSetup, secret: Secret?) throws {
    let environment = environment
    if try ConfigurationFile.load(environment: environment)?.sinkSetups()[setup.name] != nil {
      throw LibreError.sink(.exists(setup.name, path: ConfigurationFile.path(environment: environment) ?? ""))
    }
    if let secret { try SinkSecret.write(secret, to: SinkFile.secretPath(of: setup.name, environment: environment)) }
    try SinkFile.add(setup, environment: environment)
    try StoreFile.openForWriting(storePath()).enrol(setup, environment: environment, now: LocalTime.now)
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
    remark("nothing is sent yet", resolution: "libre sink test \(setup.name), then libre sync")
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import DumpFormats
import LibreKit
import SampleStore
import SampleSync

extension CompletionKind {
  static var calibrations: CompletionKind { .list(Registry.calibrations.map(\.name) + ["user"]) }
  static var dumpWriters: CompletionKind { .list(Registry.dumpWriters.map(\.name)) }
  static var settings: CompletionKind { .list(Setting.all.map(\.key)) }

  // Names from the user's configuration and store. Errors give an empty list: a shell cannot show them.

  static var persons: CompletionKind {
    .custom { _, _, _ in [Person.userWord] + Persons.all(environment: Session.environment).map(\.word) }
  }

  static var sinks: CompletionKind {
    .custom { _, _, _ in
      (try? ConfigurationFile.load(environment: Session.environment))?.sinkSetups().keys.sorted() ?? []
    }
  }

  static var sensors: CompletionKind {
    .custom { _, _, _ in
      ((try? store?.sensorIdentities()) ?? []).compactMap { $0.identity.serial ?? $0.identity.uid?.description }
    }
  }

  static var sources: CompletionKind { .custom { _, _, _ in (try? store?.sources()) ?? [] } }

  private static var store: SensorStore? {
    guard let global = try? GlobalOptions.parse([]), let session = try? Session(global),
      let path = try? session.storePath()
    else { return nil }
    return try? StoreFile.openForReading(path)
  }
}

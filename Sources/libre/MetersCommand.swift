// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BluetoothTransport
import CGMModel
import LibreDocuments
import LibreKit
import MeterProtocols
import SampleStore

struct MetersCommand: CommandWithStore {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "meters",
    abstract: "List Bluetooth glucose meters and blood-pressure monitors.",
    discussion: """
      Lists the meters that are paired with this computer or whose records are in the store. --scan also searches for \
      meters that are near: most are heard only for half a minute after a key was pressed or a measurement was made. \
      Without Bluetooth the store's meters are listed all the same, and only --scan is an error.

      Examples:
        libre meters
        libre meters --scan 30
        libre meters --supported
      """)

  @Flag(help: "List known meter models instead, with how to pair each of them.")
  var supported = false

  @Option(help: ArgumentHelp("Search for so long.", valueName: "seconds"))
  var scan: Double?

  @Flag(help: "Write one JSON document.")
  var json = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if supported && json { throw ValidationError("--supported cannot write JSON. Try: libre meters --json") }
    if supported, scan != nil { throw ValidationError("--supported does not search. Try: libre meters --scan 30") }
    if let scan, !(scan > 0 && scan <= 600) {
      throw ValidationError("invalid value \(scan) for --scan. Try: a number of seconds up to 600")
    }
  }

  func execute(_ session: Session) async throws -> Int32 {
    if supported {
      try session.write(KnownMetersTable.text(style: session.style))
      return 0
    }
    let stored = try storedMeters(session)
    var found: [FoundMeter] = []
    var failure: BluetoothError?
    do {
      found = try await MeterPort.withAdapter { try await devices(of: $0.adapter, session) }
    } catch let error as BluetoothError {
      failure = error
    }
    // A device that was heard by chance is listed only after a search.
    let shown = scan == nil ? found.filter { $0.isPaired || $0.isConnected } : found
    let survey = MeterSurvey(found: shown, stored: stored, failure: failure)
    if json {
      try session.write { MetersJSON.write(survey, to: &$0) }
    } else {
      try session.write(MetersTable(style: session.style).text(of: survey, hasSearched: scan != nil))
    }
    guard let failure else { return 0 }
    if scan != nil, let error = LibreError(wrapping: failure) {
      Session.report(error)
      return error.exitStatus
    }
    session.remark("paired meters are not listed: \(failure.message)", resolution: failure.resolution)
    return 0
  }

  /// The meters of the store; none if nothing was stored yet in the store that is used by default.
  private func storedMeters(_ session: Session) throws -> [StoredMeter] {
    do {
      return try StoreFile.openForReading(try session.storePath()).meters()
    } catch {
      guard case .missing = (error as? LibreError)?.cause as? StoreError, store.store == nil else { throw error }
      return []
    }
  }

  private func devices(
    of adapter: BluetoothAdapter, _ session: Session
  ) async throws(BluetoothError) -> [FoundMeter] {
    guard let scan else { return try await adapter.devices() }
    if session.showsProgress { session.remark("searching for \(Int(saturating: scan)) s; press a key of the meter") }
    return try await adapter.search(within: .seconds(scan))
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BluetoothTransport
import CGMModel
import LibreDocuments
import LibreKit
import MeterProtocols
import SampleStore
import SampleSync

struct MeterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "meter",
    abstract: "Read finger-sticks and blood pressure from a Bluetooth meter.",
    discussion: """
      Finger-sticks from a meter are stored with the meter and its record number, so that reading it again adds only what \
      is new. Nothing is deleted on a meter and its clock is never set. No meter was available to this project: all are \
      untested on hardware.

      Examples:
        libre meter read
        libre meter read sim:meter --store try.sqlite
      """,
    subcommands: [MeterReadCommand.self, MeterWatchCommand.self, Pair.self, Forget.self])

  struct Pair: LibreCommand {
    static let isCancellable = true
    static let configuration = CommandConfiguration(
      abstract: "Pair a meter with this computer.",
      discussion: """
        Start pairing on the meter first; libre meters --supported says how for each model. The digits that a meter shows \
        are asked for.

        Examples:
          libre meter pair
          libre meter pair Contour --passkey 123456
        """)

    @OptionGroup var options: MeterOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ session: Session) async throws {
      if options.simulated != nil { throw MeterChoiceError.notSimulated("paired") }
      let passkey = options.passkeySource(session)
      let meter = try await MeterPort.withAdapter { port in
        let meter = try await port.find(options.meter, within: .seconds(options.timeout))
        try await port.adapter.pair(meter, passkey: passkey)
        return meter
      }
      try session.write("paired \(meter.title)\n")
      session.remark("its records can be read now", resolution: "libre meter read '\(meter.title)'")
    }
  }

  struct Forget: CommandWithStore {
    static let isCancellable = true
    static let configuration = CommandConfiguration(
      abstract: "Remove a meter's pairing from this computer, and how far it was read.",
      discussion: """
        Its finger-sticks stay in the store unless --remove-values is given. Remove this computer on the meter, too, before \
        you pair it again.

        Examples:
          libre meter forget Contour
          libre meter forget Contour --remove-values --yes
        """)

    @Argument(help: .value("meter", "Part of its name or serial number, or its address."))
    var meter: String

    @Flag(help: "Also remove its finger-sticks and blood pressures from the store.")
    var removeValues = false

    @Flag(help: "Show what would be removed, and remove nothing.")
    var dryRun = false

    @Flag(help: "Remove values without asking.")
    var yes = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ session: Session) async throws {
      let path = try session.storePath()
      let stored = try StoreFile.openForReading(path).meters().filter { $0.goes(by: meter) }
      if stored.count > 1 { throw MeterChoiceError.several(stored.map(\.facts.source)) }
      let values = removeValues ? stored.first.map { $0.fingerSticks + $0.bloodPressures } ?? 0 : 0
      if values > 0, !yes, !dryRun {
        throw ValidationError(
          "\(values) values of \(meter) would be removed from the store. Try: --yes, or --dry-run to see it")
      }
      let isUnpaired = try await unpair(session, isKnown: !stored.isEmpty)
      if let known = stored.first, !dryRun {
        let kept = try StoreFile.openExisting(path)
        _ = try kept.forget(known.id, removingValues: removeValues)
        if values > 0 {
          try await session.takeBack(RemovalNotice(ofValues: "what \(known.facts.source) measured"), from: kept)
        }
      }
      let name = stored.first?.facts.source ?? meter
      let verb = dryRun ? "would forget" : "forgot"
      let pairing = isUnpaired ? " and its pairing" : ""
      try session.write("\(verb) \(name)\(pairing)\(values > 0 ? ", with \(values) values" : "")\n")
    }

    /// Removes the pairing; false if this computer has no pairing. A computer without Bluetooth can forget a stored meter all the same.
    @MainActor private func unpair(_ session: Session, isKnown: Bool) async throws -> Bool {
      do {
        return try await MeterPort.withAdapter { port in
          let found = try await port.findPaired(meter)
          if !dryRun { try await port.adapter.forget(found) }
          return true
        }
      } catch let error as BluetoothError where isKnown {
        if case .notFound = error { return false }
        session.remark("the pairing was not looked for: \(error.message)", resolution: error.resolution)
        return false
      }
    }
  }
}

struct MetersCommand: CommandWithStore, CommandWithDocument {
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

  @Option(help: .value("seconds", "Search for so long."))
  var scan: Double?

  @OptionGroup var document: DocumentOption
  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try refuse(if: supported && json, "--supported cannot write JSON. Try: libre meters --json")
    try refuse(if: supported && scan != nil, "--supported does not search. Try: libre meters --scan 30")
    try check(seconds: scan, of: "--scan", maximum: 600)
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

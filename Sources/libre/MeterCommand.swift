// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import Meters
import SampleSync
import SensorHistory

struct MeterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "meter", "Read finger-sticks and blood pressure from a Bluetooth meter.",
    discussion: """
      Finger-sticks from a meter are stored with the meter and its record number, so that reading it again adds only what \
      is new. Nothing is deleted on a meter and its clock is never set. No meter was available to this project: all are \
      untested on hardware.

      Examples:
        libre meter read
        libre meter read sim:meter --store try.sqlite
      """,
    subcommands: [MeterReadCommand.self, MeterWatchCommand.self, Pair.self, Forget.self])

  struct Pair: LibreCommand, CancellableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Pair a meter with this computer.",
      discussion: """
        Start pairing on the meter first; libre meters --supported says how for each model. The digits that a meter shows \
        are asked for; if it asks whether both sides show the same digits, they are shown for comparison. Of several meters \
        that are near, one has to be named.

        Examples:
          libre meter pair
          libre meter pair Contour --passkey 123456
        """)

    @OptionGroup var options: MeterOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ session: Session) async throws {
      if options.simulated != nil { throw MeterChoiceError.notSimulated("paired") }
      let passkey = options.passkeySource(session)
      let meter = try await BluetoothAdapter.with { adapter in
        let meter = try await adapter.find(options.meter, within: .seconds(options.timeout), isNew: true)
        try await adapter.pair(meter, passkey: passkey)
        return meter
      }
      try session.write("paired \(meter.title)\n")
      session.remark("its records can be read now", resolution: "libre meter read '\(meter.title)'")
    }
  }

  struct Forget: CommandWithStore, CancellableCommand {
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
        let kept = try Session.openExisting(path)
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

    /// False if this computer has no pairing. Without Bluetooth a stored meter can be forgotten all the same.
    @MainActor private func unpair(_ session: Session, isKnown: Bool) async throws -> Bool {
      do {
        return try await BluetoothAdapter.with { adapter in
          let found = try await adapter.findPaired(meter)
          if !dryRun { try await adapter.forget(found) }
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

struct MetersCommand: CommandWithStore, CommandWithDocument, CancellableCommand {
  static let configuration = CommandConfiguration(
    "meters", "List Bluetooth glucose meters and blood-pressure monitors.",
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
    // Nothing may be stored yet in the store that is used by default.
    let kept = try store.store == nil ? session.existingStore() : StoreFile.openForReading(session.storePath())
    let stored = try kept?.meters() ?? []
    var found: [FoundMeter] = []
    var failure: BluetoothError?
    do {
      found = try await BluetoothAdapter.with { try await devices(of: $0, session) }
    } catch let error as BluetoothError {
      failure = error
    }
    // A device that was heard by chance is listed only after a search.
    let shown = scan == nil ? found.filter { $0.isPaired || $0.isConnected } : found
    let survey = MeterSurvey(found: shown, stored: stored, failure: failure)
    try session.write(
      json: json, document: { MetersJSON.write(survey, to: &$0) },
      text: MetersTable.text(of: survey, hasSearched: scan != nil, style: session.style))
    guard let failure else { return 0 }
    if scan != nil, let error = LibreError(wrapping: failure) {
      Session.report(error)
      return error.exitStatus
    }
    session.remark("paired meters are not listed: \(failure.message)", resolution: failure.resolution)
    return 0
  }

  private func devices(of adapter: BluetoothAdapter, _ session: Session) async throws(BluetoothError) -> [FoundMeter] {
    guard let scan else { return try await adapter.devices() }
    if session.showsProgress { session.remark("searching for \(Int(saturating: scan)) s; press a key of the meter") }
    return try await adapter.search(within: .seconds(scan))
  }
}

struct MeterReadCommand: CommandWithStore, CancellableCommand {
  static let configuration = CommandConfiguration(
    "read", "Read what is new on a meter.",
    discussion: """
      Waits for the meter, pairs it if it can be paired, reads the records since the last time, and stores their values \
      before the connection ends. Control solution, ketone tests and records without a usable value are listed with the \
      reason. Values of a simulated meter are stored only if a store is named (--store). New values are sent to the sinks.

      Examples:
        libre meter read
        libre meter read sim:meter --json
        libre meter read Contour --all --csv
      """)

  @OptionGroup var options: MeterOptions

  @Flag(help: "Read all records, not only those since the last time. No value is stored twice.")
  var all = false

  @Flag(help: "Do not store the values.")
  var noStore = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  var errorFormat: OutputFormat? { output.format }

  func execute(_ session: Session) async throws -> Int32 {
    let reader = try MeterRun(session, options, format: output.format, isStored: !noStore, readsAll: all)
    let failure = try await reader.once().failure
    await reader.close()
    if let failure { Session.report(failure) }
    return failure?.exitStatus ?? 0
  }
}

struct MeterWatchCommand: CommandWithStore, CancellableCommand {
  static let configuration = CommandConfiguration(
    "watch", "Read a meter whenever it is near.",
    discussion: """
      Waits until a paired meter is switched on or sends after a measurement, reads what is new, and waits again, for all \
      paired meters unless one is named. A failed reading is reported; Ctrl-C ends it.

      Examples:
        libre meter watch
        libre meter watch Contour --ndjson | jq .record.glucose_mg_dl
      """)

  @OptionGroup var options: MeterOptions

  @Option(help: .value("number", "End after this many readings, failed ones included."))
  var count: Int?

  @Flag(help: "Do not store the values.")
  var noStore = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    try check(count, of: "--count", allowed: "1 or more") { $0 >= 1 }
    try refuse(if: output.format == .json, "--json writes one document, and watch has no end. Try: --ndjson")
  }

  func execute(_ session: Session) async throws -> Int32 {
    var worst: Int32 = 0
    var readings = 0
    var resting: Set<String> = []
    var reported: LibreError?
    let reader = try MeterRun(session, options, format: output.format, isStored: !noStore, readsAll: false)
    while !Task.isCancelled, readings < count ?? .max {
      do {
        let result = try await reader.once(leaving: resting)
        if let failure = result.failure { throw failure }
        resting.insert(result.meter)
        reported = nil
        readings += 1
      } catch {
        guard let known = LibreError(wrapping: error) else { throw error }
        if Task.isCancelled { break }
        if known.code == "meter_not_found" {
          // Not near yet: that is what this command waits for.
          resting = []
          reported = nil
          continue
        }
        if known != reported { Session.report(known) }
        reported = known
        worst = max(worst, known.exitStatus)
        readings += 1
        // What the user has to do first does not come about by waiting.
        if [64, 77, 78].contains(known.exitStatus) { break }
        if readings < count ?? .max, !(await SyncTools.real.sleep(5)) { break }
      }
    }
    await reader.close()
    return Task.isCancelled ? SignalHandler.exitStatus : worst
  }
}

@MainActor struct MeterRun {
  private let session: Session
  private let options: MeterOptions
  private let format: OutputFormat
  private let readsAll: Bool
  private let store: ReadingStore

  init(_ session: Session, _ options: MeterOptions, format: OutputFormat, isStored: Bool, readsAll: Bool) throws {
    (self.session, self.options, self.format, self.readsAll) = (session, options, format, readsAll)
    store = try ReadingStore(session, isWanted: isStored, isReal: options.simulated == nil)
    if options.simulated == nil, session.showsProgress {
      session.remark("waiting for the meter; switch its Bluetooth on by a key or its menu")
    }
  }

  /// Reads a meter once and writes what was read; returns its address, and the reason why the transfer ended early.
  /// Meters that are `resting` are left out for half a minute; nil if only one meter is possible.
  func once(leaving resting: Set<String>? = nil) async throws -> (meter: String, failure: LibreError?) {
    let now = { @Sendable in LocalTime.now }
    let kept = if let path = store.path { try Session.openForWriting(path) } else { try StoreFile.openInMemory() }
    let keeper = MeterKeeper(kept, clock: LocalTime.clock, now: now)
    let reading = try await transfer(keeper, leaving: resting)
    let receipt = await keeper.receipt
    if receipt.items.contains(where: \.isNew) { store.send() }
    let output = MeterOutput(reading, receipt: receipt, readAt: await keeper.readAt ?? now(), clock: LocalTime.clock)
    let unit = session.configuration.unit
    switch format {
    case .table: try session.write(MeterReadingTable.text(of: output, unit: unit, style: session.style))
    case .json: try session.write { MeterReadingJSON.write(output, to: &$0) }
    case .ndjson:
      for item in output.items { try session.writeLine { MeterRecordJSON.write((output, item), to: &$0) } }
    case .csv: try session.write(data: MeterReadingCSV.text(of: output, unit: unit))
    }
    return (reading.meter.identity.address, reading.failure.flatMap { LibreError(wrapping: $0) })
  }

  func close() async { await store.close() }

  /// A meter that was just read stays in the air for a while; reading it again at once would wear its battery.
  private static let rest = 30.0

  private func transfer(_ keeper: MeterKeeper, leaving resting: Set<String>?) async throws -> MeterReading {
    let isResting = resting?.isEmpty == false
    if let name = options.simulated {
      let wall = CivilTime(LocalTime.now, offsetSeconds: LocalTime.offsetSeconds(at: LocalTime.now) ?? 0)
      if isResting { _ = await SyncTools.real.sleep(Self.rest) }
      guard let meter = SimulatedMeter(named: name, now: wall) else { throw MeterChoiceError.nothingNear }
      return try await keeper.read(over: meter, readsAll: readsAll)
    }
    let passkey = options.passkeySource(session)
    return try await BluetoothAdapter.with { adapter in
      let timeout = Duration.seconds(isResting ? Self.rest : options.timeout)
      let meter = try await adapter.find(options.meter, within: timeout, leaving: resting)
      let link = try await adapter.connect(meter, passkey: passkey)
      let reading = try await keeper.read(over: link, readsAll: readsAll)
      if let error = link.error(behind: reading.failure) { throw error }
      return reading
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BluetoothTransport
import CGMModel
import HostSystem
import LibreDocuments
import LibreKit
import MeterProtocols
import SampleStore
import SampleSync

struct MeterReadCommand: CommandWithStore {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Read what is new on a meter.",
    discussion: """
      Waits for the meter, pairs it if need be, reads the records since the last time, and stores their values before the \
      connection ends. Control solution, ketone tests and records without a usable value are listed with the reason. \
      Values of a simulated meter are stored only if a store is named (--store). New values are sent to the sinks.

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

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var global: GlobalOptions

  var errorFormat: OutputFormat? { output.format }

  func execute(_ session: Session) async throws -> Int32 {
    let reader = try MeterRun(session, options: options, isStored: !noStore, readsAll: all)
    let (result, failure) = try await reader.once()
    try MeterOutputWriter(session: session, format: output.format).write(result)
    await reader.close()
    if let failure { Session.report(failure) }
    return failure?.exitStatus ?? 0
  }
}

struct MeterWatchCommand: CommandWithStore {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Read a meter whenever it is near.",
    discussion: """
      Waits until the meter is switched on or sends after a measurement, reads what is new, and waits again. A failed \
      reading is reported; Ctrl-C ends it.

      Examples:
        libre meter watch
        libre meter watch Contour --ndjson | jq .record.glucose_mg_dl
      """)

  @OptionGroup var options: MeterOptions

  @Option(help: .value("number", "End after this many readings, failed ones included."))
  var count: Int?

  @Flag(help: "Do not store the values.")
  var noStore = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try check(count, of: "--count", allowed: "1 or more") { $0 >= 1 }
    try refuse(if: output.format == .json, "--json writes one document, and watch has no end. Try: --ndjson")
  }

  func execute(_ session: Session) async throws -> Int32 {
    var worst: Int32 = 0
    var readings = 0
    let writer = MeterOutputWriter(session: session, format: output.format)
    let reader = try MeterRun(session, options: options, isStored: !noStore, readsAll: false)
    while !Task.isCancelled, readings < count ?? .max {
      do {
        let (result, failure) = try await reader.once()
        try writer.write(result)
        if let failure { throw failure }
      } catch {
        guard let known = LibreError(wrapping: error) else { throw error }
        if Task.isCancelled { break }
        // Not near yet: that is what this command waits for.
        if known.code != "meter_not_found" {
          Session.report(known)
          worst = max(worst, known.exitStatus)
          if known.exitStatus == 78 || known.exitStatus == 77 { break }
        } else if count == nil {
          continue
        }
      }
      readings += 1
      if readings < count ?? .max, !(await SyncTools.real.sleep(Self.pauseSeconds)) { break }
    }
    await reader.close()
    return Task.isCancelled ? SignalHandler.exitStatus : worst
  }

  /// A meter that was just read stays in the air for a while; reading it again at once would wear its battery.
  private static let pauseSeconds = 30.0
}

struct MeterOutputWriter {
  let session: Session
  let format: OutputFormat

  func write(_ output: MeterOutput) throws {
    switch format {
    case .table:
      try session.write(MeterReadingTable(unit: session.configuration.unit, style: session.style).text(of: output))
    case .json: try session.write { MeterReadingJSON.write(output, to: &$0) }
    case .ndjson:
      for item in output.items { try session.writeLine { MeterRecordJSON.write(item, of: output, to: &$0) } }
    case .csv: try session.write(data: MeterReadingCSV.text(of: output, unit: session.configuration.unit))
    }
  }
}

@MainActor struct MeterRun {
  private let session: Session
  private let options: MeterOptions
  private let readsAll: Bool
  private let store: ReadingStore

  init(_ session: Session, options: MeterOptions, isStored: Bool, readsAll: Bool) throws {
    self.session = session
    self.options = options
    self.readsAll = readsAll
    store = try ReadingStore(session, isWanted: isStored, isReal: options.simulated == nil)
  }

  /// Reads the meter once; the error is the reason why the transfer ended early.
  func once() async throws -> (MeterOutput, LibreError?) {
    let now = LocalTime.now
    let keeper =
      if let path = store.path {
        MeterKeeper(try StoreFile.openForWriting(path), clock: LocalTime.clock, now: now)
      } else {
        MeterKeeper(try StoreFile.openInMemory(), clock: LocalTime.clock, now: now)
      }
    let reading = try await transfer(keeper)
    let receipt = await keeper.receipt
    if receipt.items.contains(where: \.isNew) { store.send() }
    let output = MeterOutput(reading, receipt: receipt, readAt: now, clock: LocalTime.clock)
    return (output, reading.failure.flatMap { LibreError(wrapping: $0) })
  }

  func close() async { await store.close() }

  private func transfer(_ keeper: MeterKeeper) async throws -> MeterReading {
    if let name = options.simulated {
      let wall = CivilTime(LocalTime.now, offsetSeconds: LocalTime.offsetSeconds(at: LocalTime.now) ?? 0)
      guard let meter = SimulatedMeter(named: name, now: wall) else { throw MeterChoiceError.nothingNear }
      return try await keeper.read(over: meter, readsAll: readsAll)
    }
    let passkey = options.passkeySource(session)
    if session.showsProgress { session.remark("waiting for the meter; switch its Bluetooth on by a key or its menu") }
    return try await MeterPort.withAdapter { port in
      let meter = try await port.find(options.meter, within: .seconds(options.timeout))
      return try await keeper.read(over: port.adapter.connect(meter, passkey: passkey), readsAll: readsAll)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import SampleSync
import SensorHistory
import TextFormats

struct WearOptions: ParsableArguments {
  @Argument(help: .value("sensor", "UID or serial of the sensor. Default: the one in use."), completion: .sensors)
  var sensor: String?

  @Option(
    help: .value("number", "Number of the wear, from 1: each start of the same sensor is a wear. Default: the latest."))
  var wear: Int?
}

struct SensorsCommand: CommandWithStore, CommandWithDocument {
  static let configuration = CommandConfiguration(
    "sensors", "List the sensors in the store.",
    discussion: """
      The state of a sensor is computed from its start time and the clock: one that was active when it was last read may \
      have ended since.

      Examples:
        libre sensors
        libre sensors --json | jq -r '.sensors[].serial'
      """)

  @OptionGroup var document: DocumentOption
  @OptionGroup var store: StoreOptions

  func execute(_ session: Session) throws {
    let sensors = try StoreFile.openForReading(try session.storePath()).sensors()
    let now = LocalTime.now
    if json { return try session.write { SensorsJSON.write(sensors, now: now, to: &$0) } }
    if sensors.isEmpty { return session.remark("the store contains no sensor", resolution: "libre read") }
    try session.write(SensorsTable(style: session.style, now: now).list(sensors))
  }
}

struct SensorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "sensor", "Show one sensor, correct its start time, give it to another person, or remove it.",
    discussion: """
      Examples:
        libre sensor show
        libre sensor reanchor --dry-run
      """,
    subcommands: [Show.self, SensorReanchorCommand.self, SensorGiveCommand.self, SensorForgetCommand.self])

  struct Show: CommandWithStore, CommandWithDocument {
    static let configuration = CommandConfiguration(
      abstract: "Show everything the store knows about a sensor.",
      discussion: """
        Includes its start time with the uncertainty after all scans, differences to the computer's clock, and samples \
        whose counts (the sensor's raw values) were different when they were read again.

        Examples:
          libre sensor show
          libre sensor show 0M00009DHCR --json
        """)

    @Argument(
      help: .value("sensor", "UID, serial or fingerprint of the sensor. Default: the one in use."),
      completion: .sensors)
    var sensor: String?

    @OptionGroup var document: DocumentOption
    @OptionGroup var store: StoreOptions

    func execute(_ session: Session) throws {
      let store = try StoreFile.openForReading(try session.storePath())
      let sensor = try store.chosenWear(of: sensor, wear: nil).sensor
      let now = LocalTime.now
      if json { return try session.write { SensorsJSON.write([sensor], now: now, to: &$0) } }
      let calibration = try store.newestCalibration(of: sensor)
      try session.write(SensorsTable(style: session.style, now: now).text(of: sensor, calibration: calibration))
    }
  }
}

struct SensorReanchorCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "reanchor", "Correct the start time of a sensor.",
    discussion: """
      All times of a sensor are counted from one start time. If it is wrong, because a clock was, this command sets it: to \
      --at, or to the start on which most scans agree, of equally many those of the latest scan. Every time of the sensor \
      changes; later scans do not change it any more. Values that were sent go out again, and those with the old times are \
      taken back from sinks that support it (libre sink list --supported); for the others it is said which stay.

      Examples:
        libre sensor reanchor --dry-run
        libre sensor reanchor 0M00009DHCR --at 2024-05-01T08:30:00Z
      """)

  @OptionGroup var choice: WearOptions

  @Option(parsing: .unconditional, help: .value("time", "When it was started: \(TimeArgument.forms)."))
  var at: String?

  @Flag(help: "Show what would change, and change nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions

  func execute(_ session: Session) async throws {
    var moment: Instant?
    if let at { moment = try TimeArgument.moment(at, of: "--at", now: LocalTime.now, isPast: true) }
    let store = try Session.openExisting(try session.storePath())
    let (sensor, number) = try store.chosenWear(of: choice.sensor, wear: choice.wear)
    let notice = try RemovalNotice(of: sensor, in: store, isMoved: true)
    let (before, after) = try store.reanchor(sensor, wear: number, at: moment, isRehearsal: dryRun)
    let old = before.activatedAt.map(LocalTime.text) ?? "unknown"
    guard let activatedAt = after.firmStart else { throw LibreError.store(.neverDated) }
    if activatedAt == before.firmStart {
      try session.write("started \(old); nothing to change\n")
      if moment == nil, let wear = sensor.wears.first(where: { $0.number == number }) { remark(on: wear, session) }
      return
    }
    try session.write("started \(old); \(dryRun ? "would be" : "now") \(LocalTime.text(activatedAt))\n")
    try await session.takeBack(notice, from: store, isPlanned: dryRun)
  }

  /// Says why nothing changes although a scan gives another start, and which command would use that one.
  private func remark(on wear: StoredWear, _ session: Session) {
    guard let start = wear.anchor.firmStart, let latest = wear.disagreements.last, latest.isReported else { return }
    let other = Instant(secondsSince1970: start.secondsSince1970 + Int64(latest.seconds))
    let votes = wear.agreement.map { "\($0.votes) of \(CountText.of(wear.disagreements.count, "scan"))" } ?? "the scans"
    session.remark(
      """
      this start is what \(votes) give; by the latest scan, read \(LocalTime.text(latest.readAt)), it was \
      \(LocalTime.text(other)). If that clock was right: libre sensor reanchor --at \(other.rfc3339)
      """)
  }
}

struct SensorForgetCommand: CommandWithStore, CancellableCommand {
  static let configuration = CommandConfiguration(
    "forget", "Remove a sensor with all its scans and samples from the store.",
    discussion: """
      This cannot be undone. Programs that follow the history (libre history --after) get the ids of removed samples. What \
      was sent is taken back at once from sinks that support it (libre sink list --supported): values are deleted there, and \
      the state of an MQTT broker is replaced by the newest value that is left. For the others it is said which values stay. \
      Values of another sensor that was worn at the same time and did not count are shown and sent again.

      Examples:
        libre sensor forget 0M00009DHCR --dry-run
        libre sensor forget E007A0000025905E --yes
      """)

  @Argument(help: .value("sensor", "UID, serial or fingerprint of the sensor."), completion: .sensors)
  var sensor: String

  @Flag(help: "Confirm the removal.")
  var yes = false

  @Flag(help: "Show what would be removed, and remove nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions

  func validate() throws {
    try refuse(if: yes == dryRun, "forget cannot be undone. Try: --dry-run first, then --yes")
  }

  func execute(_ session: Session) async throws {
    let store = try Session.openExisting(try session.storePath())
    let (sensor, _) = try store.chosenWear(of: sensor, wear: nil)
    let notice = try RemovalNotice(of: sensor, in: store)
    let scans = sensor.wears.map(\.scans).reduce(0, +)
    if yes { try store.forget(sensor) }
    try session.write(
      "\(sensor.name): \(scans) scans and \(sensor.sampleCount) samples \(yes ? "removed" : "would be removed")\n")
    try await session.takeBack(notice, from: store, isPlanned: dryRun)
  }
}

struct SensorGiveCommand: LibreCommand, CancellableCommand {
  static let configuration = CommandConfiguration(
    "give", "Move a sensor with all its scans and samples to another person.",
    discussion: """
      For a sensor that was stored for the wrong person. Its later readings go to the other person too. What was sent for \
      the first one is taken back as with libre sensor forget, and the other person's sinks get it.

      Examples:
        libre sensor give ann 0M00009DHCR --dry-run
        libre sensor give me E007A0000025905E
      """)

  @Argument(help: .value("person", "Who gets it: a name of libre person list, or me."), completion: .persons)
  var receiver: String

  @Argument(help: .value("sensor", "UID, serial or fingerprint of the sensor."), completion: .sensors)
  var sensor: String

  @Flag(help: "Show what would be moved, and move nothing.")
  var dryRun = false

  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) async throws {
    let person = try Persons.named(receiver, environment: Session.environment)
    let theirs = try session.session(of: person)
    let (owner, stored) = try owner(among: session.household())
    guard owner.person != person else { return try session.write("\(stored.name) is \(person.possessive) already\n") }
    let store = try Session.openForWriting(owner.storePath())
    let notice = try RemovalNotice(of: stored, in: store)
    if !dryRun { try store.give(stored, to: Session.openForWriting(theirs.storePath())) }
    try session.write(
      "\(stored.name): \(stored.sampleCount) samples \(dryRun ? "would be" : "are now") \(person.possessive)\n")
    try await owner.takeBack(notice, from: store, isPlanned: dryRun)
    if !dryRun { try await theirs.sendNew() }
  }

  /// The person who has the sensor, the person of the session first. Throws the error of the first store if none has it.
  private func owner(among household: [Session]) throws -> (owner: Session, sensor: StoredSensor) {
    var missing: LibreError?
    for owner in household {
      do {
        if let store = try owner.existingStore() { return (owner, try store.chosenWear(of: sensor, wear: nil).sensor) }
      } catch let error as StoreError {
        guard case .noSuchSensor = error else { throw error }
        missing = missing ?? .store(error)
      }
    }
    if let missing { throw missing }
    throw LibreError.store(.missing(path: try household[0].storePath()))
  }
}

extension StoredSensor {
  fileprivate var name: String { identity.serial ?? identity.uid?.description ?? "the sensor without UID" }
}

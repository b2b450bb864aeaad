// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import SampleSync
import SensorHistory
import TextFormats

struct AlertsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "alerts", "Be told of low values, of a scan that is due, and of what fails.",
    discussion: """
      Rules for alerts are evaluated while libre watch, libre serve or libre sync --daemon runs, and by libre alerts check, \
      for cron. A scan also brings what happened before it: a past low is told once, as past. No value is told twice, and none \
      that the sensor flagged or that was imported.

      \(AlertText.caution)

      Examples:
        libre alerts add low --below 70 --tell desktop
        libre alerts add scan-due
        libre alerts snooze 30m
      """,
    subcommands: [List.self, Add.self, Remove.self, Test.self, Snooze.self, Off.self, On.self, Check.self],
    defaultSubcommand: List.self)

  struct List: CommandWithStore, CommandWithDocument {
    static let configuration = CommandConfiguration(
      abstract: "List the rules, and when each told last.",
      discussion: """
        Examples:
          libre alerts
          libre alerts list --json
        """)

    @OptionGroup var document: DocumentOption
    @OptionGroup var store: StoreOptions

    func execute(_ session: Session) throws {
      let listing = AlertsListing(at: LocalTime.now, unit: session.configuration.unit, try session.alertViews())
      if json { return try session.write { AlertsJSON.write(listing, to: &$0) } }
      if listing.alerts.isEmpty {
        return session.remark("no alerts are set up", resolution: "libre alerts add low --below 70")
      }
      try session.write(AlertsTable.text(of: listing, style: session.style))
    }
  }

  struct Add: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "Add a rule.",
      discussion: """
        Writes a table [alerts.NAME] into the configuration file. Without --tell it tells by a notification on the desktop. A \
        program gets the facts in variables such as ALERT_TEXT and ALERT_GLUCOSE_MG_DL, and the document libre.alert/1 on \
        standard input; it has 30 seconds.

        low: below 70 mg/dL, repeated after 15 minutes. high: above 250 mg/dL. falling, rising: by 2 mg/dL per minute. scan-due: 15 minutes \
        before the sensor overwrites a value that was not read. no-value: after 25 minutes, for a reader that reads by itself. \
        sensor-ends: a day and an hour before. sink-fails: after an hour. bridge-battery: at 20 %.

        Examples:
          libre alerts add low --below 3.9mmol --tell desktop --quiet-hours 23:00-06:30
          libre alerts add high --above 250 --run aplay /usr/share/sounds/alarm.wav
        """)

    @Argument(
      help: .value("kind", "What to wait for: \(AlertKind.allCases.map(\.rawValue).joined(separator: ", "))."),
      completion: .list(AlertKind.allCases.map(\.rawValue)))
    var kind: String

    @Option(help: .value("name", "Your name for the rule, if not the kind: \(AlertSetup.nameRule)."))
    var name: String?

    @Option(help: .value("value", "low: glucose. bridge-battery: percent."))
    var below: String?

    @Option(help: .value("value", "high: glucose."))
    var above: String?

    @Option(help: .value("value", "falling, rising: change in a minute."))
    var by: String?

    @Option(help: .value("time", "scan-due: time before values are lost, such as 15m."))
    var before: String?

    @Option(help: .value("time", "no-value, sink-fails: time without one, such as 25m or 2h."))
    var after: String?

    @Option(
      help: .value("way", "desktop, journal or sink:NAME; may be repeated."), completion: .list(["desktop", "journal"]))
    var tell: [String] = []

    @Option(help: .value("time", "Tell again after this time while it lasts, such as 15m."))
    var `repeat`: String?

    @Option(help: .value("hours", "Stay silent in these hours of each day, such as 22:00-07:00."))
    var quietHours: String?

    @Option(
      parsing: .remaining,
      help: .value("program", "A program to run, with its arguments; the last option."), completion: .file())
    var run: [String] = []

    @OptionGroup var store: StoreOptions

    func validate() throws {
      try check(kind, of: "kind", allowed: AlertKind.allCases.map(\.rawValue).joined(separator: ", ")) {
        AlertKind(rawValue: $0) != nil
      }
      try check(name, of: "--name", allowed: AlertSetup.nameRule, SinkSetup.isName)
    }

    func execute(_ session: Session) throws {
      guard let kind = AlertKind(rawValue: kind) else { return }
      let number = AlertSetup.number(of: kind)
      let given = [("below", below), ("above", above), ("by", by), ("before", before), ("after", after)]
      for (key, text) in given where text != nil && key != number?.key {
        throw ValidationError(
          "--\(key) does not belong to \(kind.rawValue). Try: \(number.map { "--\($0.key)" } ?? "without it")")
      }
      let text = given.first { $0.0 == number?.key }?.1
      if let number, let text, number.parse(text, session.configuration.unit) == nil {
        throw ValidationError("invalid value \(text) for --\(number.key). Try: \(number.allowed)")
      }
      var keys = AlertSetup.keys(of: kind, number: text, repeating: `repeat`, unit: session.configuration.unit)
      if let quietHours { keys.append(("quiet_hours", .string(quietHours))) }
      if !tell.isEmpty { keys.append(("tell", .array(tell.map(TOMLValue.string)))) }
      if !run.isEmpty { keys.append(("run", .array(run.map(TOMLValue.string)))) }
      let setup = try session.addAlert(name ?? kind.rawValue, keys)
      let limit = AlertText.limit(of: setup.rule, unit: session.configuration.unit)
      session.remark(
        "\(setup.rule.name): \(limit), by \(setup.ways.map(\.word).joined(separator: ", "))",
        resolution: "libre alerts test \(setup.rule.name)")
      session.remark(AlertText.caution.replacing("\n", with: " "))
    }
  }

  struct Remove: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "Remove a rule.",
      discussion: """
        Examples:
          libre alerts remove low
          libre alerts remove high rising
        """)

    @OptionGroup var alert: AlertNames
    @OptionGroup var store: StoreOptions

    func validate() throws { try refuse(if: alert.names.isEmpty, "no alert is named. Try: libre alerts remove low") }

    func execute(_ session: Session) throws {
      _ = try session.alertSetups(named: alert.names)
      for name in alert.names { try AlertFile.remove(name, environment: session.environment) }
      try session.forgetAlerts(alert.names)
    }
  }

  struct Test: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "Tell a made-up alert, to see that it arrives.",
      discussion: """
        It says that it is a test, and nothing is remembered. Exit status: 0 it was told, 75 no way worked, 78 a rule is \
        invalid.

        Examples:
          libre alerts test
          libre alerts test low
        """)

    @OptionGroup var alert: AlertNames
    @OptionGroup var store: StoreOptions

    func execute(_ session: Session) async throws -> Int32 {
      let teller = AlertTeller(session, person: nil)
      var status: Int32 = 0
      for (_, setup) in try alert.setups(session) {
        do throws(LibreError) {
          let setup = try setup.get()
          let worded = WordedAlert(
            .example(of: setup.rule, at: LocalTime.now), person: nil, unit: session.configuration.unit, isTest: true)
          if await !teller.tell(worded, by: setup) { status = max(status, 75) }
        } catch {
          Session.report(error)
          status = error.exitStatus
        }
      }
      return status
    }
  }

  struct Snooze: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "Stay silent for some time.",
      discussion: """
        What happens meanwhile is told afterwards, as past, if it still matters. libre alerts on ends it.

        Examples:
          libre alerts snooze 30m
          libre alerts snooze 8h high rising
        """)

    @Argument(help: .value("time", "How long, such as 30m or 8h, up to 1d."))
    var time: String

    @OptionGroup var alert: AlertNames
    @OptionGroup var store: StoreOptions

    func validate() throws {
      try check(time, of: "time", allowed: "30m or 8h, up to 1d") {
        MinutesText.minutes($0).map { $0 <= 1_440 } ?? false
      }
    }

    func execute(_ session: Session) throws {
      guard let minutes = MinutesText.minutes(time) else { return }
      let names = try alert.setups(session).map(\.name)
      try session.changeAlerts(names) { $0.snooze = AlertMemory.Snooze(from: LocalTime.now, minutes: minutes) }
      let end = LocalTime.minuteText(LocalTime.now.adding(minutes: minutes))
      session.remark("silent until \(end): \(names.joined(separator: ", "))", resolution: "libre alerts on ends it")
    }
  }

  struct Off: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "Switch rules off, without removing them.",
      discussion: """
        Examples:
          libre alerts off
          libre alerts off high
        """)

    @OptionGroup var alert: AlertNames
    @OptionGroup var store: StoreOptions

    func execute(_ session: Session) throws {
      let names = try session.alertSetups(named: alert.names).map(\.name)
      for name in names { try session.switchAlert(name, on: false) }
      // Switched on again, a rule is not about what was meanwhile.
      try session.forgetAlerts(names)
    }
  }

  struct On: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "Switch rules on again, and end their silence.",
      discussion: """
        Examples:
          libre alerts on
          libre alerts on high
        """)

    @OptionGroup var alert: AlertNames
    @OptionGroup var store: StoreOptions

    func execute(_ session: Session) throws {
      let names = try session.alertSetups(named: alert.names).map(\.name)
      for name in names { try session.switchAlert(name, on: true) }
      try session.changeAlerts(names) { $0.snooze = nil }
    }
  }

  struct Check: CommandWithStore, CommandWithDocument {
    static let configuration = CommandConfiguration(
      abstract: "Evaluate the rules once and tell, for cron.",
      discussion: """
        Does what libre watch, libre serve and libre sync --daemon do every half minute, and prints what was to be told; \
        nothing is told twice. With --json each alert is a document libre.alert/1 on one line. Exit status: 0 all was told, or \
        there was nothing; 75 an alert could not be told by any way, and is tried again next time.

        Examples:
          libre alerts check --quiet
          libre alerts check --json | jq -r .text
        """)

    @OptionGroup var document: DocumentOption
    @OptionGroup var store: StoreOptions

    func execute(_ session: Session) async throws -> Int32 {
      let sessions = try global.person == nil ? session.household() : [session]
      var isTold = true
      for theirs in sessions {
        for told in try await AlertTeller(theirs, person: theirs.label(among: sessions)).round() {
          isTold = isTold && told.isTold
          if json {
            try session.write(AlertJSON.line(of: told.alert) + [0x0A])
          } else if !session.isQuiet {
            try session.write("\(told.alert.title): \(told.alert.sentence)\n")
          }
        }
      }
      return isTold ? 0 : 75
    }
  }
}

struct AlertNames: ParsableArguments {
  @Argument(help: .value("name", "Names of rules; without any, all of them."), completion: .alerts)
  var names: [String] = []

  /// The rules that are meant, at least one.
  func setups(_ session: Session) throws -> [(name: String, setup: Result<AlertSetup, LibreError>)] {
    let setups = try session.alertSetups(named: names)
    try refuse(if: setups.isEmpty, "no alerts are set up. Try: libre alerts add low --below 70")
    return setups
  }
}

extension Session {
  fileprivate func switchAlert(_ name: String, on isOn: Bool) throws(LibreError) {
    try ConfigurationFile.set(
      "\(AlertSetup.table).\(name).enabled", to: isOn ? nil : "false", environment: environment)
  }

  /// Changes what rules remember in the person's store.
  fileprivate func changeAlerts(_ names: [String], _ change: (inout AlertMemory) -> Void) throws(LibreError) {
    let store = try Session.openForWriting(storePath())
    let memories = try libre(store.alertMemories())
    for name in names {
      var memory = memories[name] ?? AlertMemory(countsFrom: LocalTime.now)
      change(&memory)
      try libre(store.setAlertMemory(memory, of: name))
    }
  }

  /// Adds a rule that counts from now on, also if a program evaluates it only later.
  func addAlert(_ name: String, _ keys: [(String, TOMLValue)]) throws(LibreError) -> AlertSetup {
    let setup = try AlertFile.add(name, keys, self)
    try rememberAlerts([name], AlertMemory(countsFrom: LocalTime.now))
    return setup
  }

  fileprivate func forgetAlerts(_ names: [String]) throws(LibreError) { try rememberAlerts(names, nil) }

  private func rememberAlerts(_ names: [String], _ memory: AlertMemory?) throws(LibreError) {
    guard try FileSystem.exists(storePath()) else { return }
    let store = try Session.openForWriting(storePath())
    for name in names { try libre(store.setAlertMemory(memory, of: name)) }
  }
}

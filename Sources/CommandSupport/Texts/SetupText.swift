// SPDX-License-Identifier: Apache-2.0
package import LibreDocuments
import SampleSync
package import SensorHistory
import TextFormats

/// The pages of `libre setup`: what is read, where it is kept and who gets it.
package struct SetupText {
  private let style: Style

  package init(style: Style) { self.style = style }

  /// The use of a person's data, and the present files. `configuration` is the path of the configuration file, nil if
  /// `HOME` is not set. `persons` are the other people whose sensors this computer reads.
  package func explanation(
    of status: StatusReport, configuration: String?, isConfigured: Bool, persons: [Person]
  ) -> String {
    let store = status.sensors.map { CountText.of($0, "sensor") } ?? "not created yet"
    let files = Columns.lines([
      ["Readings", status.storePath, "(\(status.storeError?.message ?? store))"],
      ["Settings", configuration ?? "none: HOME is not set", isConfigured ? "" : "(not created yet)"],
    ])
    return section(
      "What is read",
      [
        "A FreeStyle Libre sensor keeps the glucose of the last 8 hours, one value every 15 minutes, and of the last",
        "16 minutes, one a minute. libre reads that by NFC, with the sensor's serial number, age and state. It can only",
        "read: it cannot start, change or stop a sensor.",
      ])
      + section("Where it is kept", files + ["On this computer, in files that only you can read."])
      + section("Whose it is", owners(persons))
      + section("Who gets it", receivers(status.sinks))
      + "\(Program.disclaimer)\n\n"
  }

  private func owners(_ persons: [Person]) -> [String] {
    guard !persons.isEmpty else {
      return [
        "Everything that is read here is yours. A sensor that was worn at the same time as yours is only shown, until you",
        "say whose it is. libre person add NAME keeps another person's values, with receivers of their own.",
      ]
    }
    let names = persons.map(\.word).joined(separator: ", ")
    return [
      "A sensor belongs to the person who had it read first: you, or \(names). From then on its readings",
      "go to them and to their receivers, whoever holds it to the reader. libre person list shows everybody.",
    ]
  }

  private func receivers(_ sinks: [SinkView]) -> [String] {
    let rule = "Nothing leaves this computer unless you set up a sink, which is a receiver of your choice."
    guard !sinks.isEmpty else { return [rule, "No sink is set up: nothing is sent."] }
    return [rule]
      + sinks.map { sink in
        let kind = sink.setup?.type.name ?? "not set up"
        let place = sink.destination.map { " at \(SafeText.line($0))" } ?? ""
        let state = sink.availability == .enabled ? "" : "; \(sink.availability.rawValue)"
        let parts = sink.setup.map { setup in
          setup.type.takesSamples
            ? setup.parts.map(Self.words).sorted().joined(separator: ", ")
            : "alerts that are told by it, with their value"
        }
        return "\(style.bold(sink.name)) (\(kind)\(place)) gets: \(parts ?? "nothing")\(state)"
      }
  }

  static func words(_ part: SampleBatch.Part) -> String { partWords[part.rawValue] ?? part.rawValue }

  private static let partWords = [
    "glucose.history": "a glucose value every 15 minutes", "glucose.trend": "a glucose value every minute",
    "sensor": "the sensor's serial number, state and age", "raw": "the sensor's raw measurements",
    "statistics": "statistics of a day", "finger_sticks": "finger-sticks", "imported": "imported values",
    "blood_pressure": "blood pressure",
  ]

  package func display(_ configuration: Configuration, zone: String?) -> String {
    func origin(_ value: Configuration.Value) -> String { value.origin == .standard ? "the default" : "set" }
    let unit = configuration[.unit]
    let other = configuration.unit == .milligramsPerDecilitre ? "mmol/L" : "mg/dL"
    let calibration = configuration[.calibration]
    let isSet = configuration[.timeZone].origin != .standard
    let rows = [
      ["Unit", "\(unit.text), \(origin(unit))", "libre config set unit \(other)"],
      [
        "Time zone", "\(zone ?? "UTC"), \(isSet ? "set" : "this computer's")",
        isSet ? "libre config unset time_zone, to follow this computer's" : "libre config set time_zone NAME",
      ],
      [
        "Calibration", "\(calibration.text), \(origin(calibration))",
        "libre config set calibration \(calibration.text == "factory" ? "reader" : "factory")",
      ],
    ]
    return section("How values are shown", Columns.lines(rows))
  }

  package func reader(_ diagnosis: Diagnosis) -> String {
    let lines = DoctorText.text(diagnosis, style: style, isShort: true).split(separator: "\n").map(String.init)
    return section("Reader", lines + (diagnosis.outlook == .ready ? [] : ["libre doctor shows more."]))
  }

  package func alerts(_ alerts: [AlertView], unit: GlucoseUnit) -> String {
    let rows = alerts.map { view in
      [
        view.rule.name, AlertText.limit(of: view.rule, unit: unit), "by \(view.ways.joined(separator: ", "))",
        view.isEnabled ? "" : "off",
      ]
    }
    let none = [
      "No alert is set up. libre alerts add low tells a low value on the desktop, libre alerts add scan-due that it is time",
      "to scan.",
    ]
    return section(
      "Alerts", (rows.isEmpty ? none : Columns.lines(rows)) + AlertText.caution.split(separator: "\n").map(String.init))
  }

  package func sinkTypes() -> String {
    let rows = SinkType.all.map { [$0.name, $0.summary] }
    return section(
      "Sinks that can be set up",
      Columns.lines(rows) + [
        "libre sink list --supported lists the keys of each, libre sink add NAME TYPE KEY=VALUE sets one up."
      ])
  }

  package func next(_ diagnosis: Diagnosis, hasSinks: Bool) -> String {
    let read =
      diagnosis.outlook == .notReady
      ? "once a reader works; until then libre read --reader sim:active shows a simulated reading"
      : "hold a sensor on the reader"
    let rows =
      [["libre read", read]] + (hasSinks ? [["libre sync", "sends queued samples to the sinks"]] : [])
      + [["libre setup", "shows this page again; it changes nothing without an answer"]]
    return section("Next", Columns.lines(rows))
  }

  private func section(_ title: String, _ lines: [String]) -> String {
    "\(style.bold(title))\n\(lines.map { "  \($0)\n" }.joined())\n"
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Section about the sources of the values.
struct SensorsSection {
  let content: ReportContent

  var html: String {
    """
    <section id="sensors"><h2>Sensors</h2>
    \(content.sensors.isEmpty ? "<p>No sensors.</p>" : table)
    </section>
    """
  }

  private var table: String {
    HTMLTable(
      caption: "Sensors", head: ["Sensor", "First value", "Last value", "Values read"],
      rows: content.sensors.map { sensor in
        [
          "<bdi>\(Markup.text(sensor.name))</bdi>", sensor.from.map(content.clock.moment) ?? ReportNumbers.missing,
          sensor.to.map(content.clock.moment) ?? ReportNumbers.missing, String(sensor.count),
        ]
      }, words: [1, 2]
    ).html
  }
}

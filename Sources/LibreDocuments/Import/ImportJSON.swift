// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import LibreKit
public import TextFormats

/// `libre.import/1`: what importing one file gave.
public enum ImportJSON {
  public static let document = SchemaDocument(
    "import", summary: "what importing one file gave", description: "What importing one file gave.", fields.members)

  public static func write(_ tally: ImportTally, to writer: inout JSONWriter) {
    document.write(fields, tally, to: &writer)
  }

  private static let fields: Fields<ImportTally> = [
    Field("path") { $0.path },
    Field("format", .string, "a name of libre formats") { $0.format },
    Field("scans", .count, "memories in the file that were taken") { $0.scans },
    Field("new_scans", .count, "those that were not in the store before") { $0.newScans },
    Field("added", .count, "values that were not in the store before") { $0.added },
    Field("filled", .count, "values that replaced an error or a missing value") { $0.filled },
    Field("known", .count, "values that were there already") { $0.known },
    Field("conflicts", .count, "samples that were there with other counts") { $0.conflicts },
    Field("left_out", .count, "values of ignored sources, and such as were removed earlier") { $0.leftOut },
    Field(
      "clock_disagreement_seconds", .integer,
      "how much later a scan dates the start of a sensor than the store does, over two minutes"
    ) { $0.disagreementSeconds },
    Field(
      "is_provisional", .boolean, "true if only the modification time of a file tells when a sensor was started"
    ) { $0.isProvisional },
    Field("sensors", array: sensor) { tally in
      tally.sensors.sorted {
        ($0.uid?.description ?? "", $0.serial ?? "") < ($1.uid?.description ?? "", $1.serial ?? "")
      }
    },
  ]

  private static let sensor: Fields<SensorIdentity> = [
    Field("uid", .uid) { $0.uid?.description },
    Field("serial") { $0.serial },
    Field("fingerprint", .fingerprint) { $0.fingerprint?.description },
  ]
}

// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A file of a program that is known and not read, recognised so that its user learns what to do with it.
package struct ForeignHistory: Hashable, Sendable {
  /// The program that the file looks like one of, in words.
  package let message: String
  /// Advice to the user, which depends on the columns that the file has.
  package let resolution: String

  private init(_ name: String, _ resolution: String) {
    message = "this looks like \(name), which libre does not read by itself"
    self.resolution = resolution
  }

  private init(ownFormat name: String) {
    message = "this looks like libre's own \(name) export: libre writes that format and does not read it"
    resolution = "export the history again with libre export --format ndjson, which keeps everything"
  }

  /// A file by the first of these that are all in its beginning. (Second-hand: the formats' public descriptions.)
  private static let known: [(words: [String], history: ForeignHistory)] =
    [
      (
        ["ValueInMgPerDl", "FactoryTimestamp"],
        Self(
          "a graph of LibreLinkUp's JSON",
          "convert it to a table with the columns time (in UTC, ending in Z) and glucose_mg_dl")
      ),
      (
        ["<patient", "<glucose_level"],
        Self(
          "OhioT1DM's XML", "convert its glucose_level events to a table with the columns local_time and glucose_mg_dl")
      ),
    ] + tables(in: "mg/dL") + tables(in: "mmol/L") + [
      (["id,time,gl"], Self("a table of iglu", "--glucose-column gl --unit mg/dL")),
      (["omh", "blood-glucose", "schema_id"], Self(ownFormat: "omh")),
      (["\"resourceType\"", "Observation"], Self(ownFormat: "fhir")),
      (["\"glucose_data\"", "\"device_data\""], Self(ownFormat: "terra")),
      (["\"is_final_chunk\"", "\"provider\""], Self(ownFormat: "vital")),
    ]

  private static func tables(in unit: String) -> [(words: [String], history: ForeignHistory)] {
    let glooko = "CGM Glucose Value (\(unit.lowercased()))"
    return [
      (
        [glooko],
        Self(
          "a Glooko export", "--time-column Timestamp --glucose-column '\(glooko)' --date-order dmy or mdy")
      ),
      (
        ["Sensor Glucose (\(unit))", "New Device Time"],
        Self(
          "a CareLink export",
          "join its columns Date and Time into one, keep Sensor Glucose (\(unit)), and name both: --time-column NAME "
            + "--glucose-column NAME")
      ),
      (
        ["\tHistoric Glucose (\(unit))"],
        Self(
          "a table of the old FreeStyle software", "--time-column Time --glucose-column 'Historic Glucose (\(unit))'")
      ),
    ]
  }

  /// The file with this beginning; nil for one that is not known.
  package init?(in head: [UInt8]) {
    guard let found = Self.known.first(where: { $0.words.allSatisfy { head.contains(text: $0) } }) else { return nil }
    self = found.history
  }
}

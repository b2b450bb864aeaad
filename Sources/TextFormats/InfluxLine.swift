// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A line of InfluxDB's protocol (read: its documentation; verified with 1.6.7):
/// `glucose,sensor=0M00028U5DW,source=history mgdl=104,minute=14415i 1714644900`
package struct InfluxLine {
  private var text: String
  private var hasField = false

  /// `measurement` and the tags' names need no escaping; tag values may be any text except empty.
  package init(_ measurement: String, tags: [(name: String, value: String)]) {
    text = measurement
    for tag in tags { text += ",\(tag.name)=\(Self.tagValue(tag.value))" }
  }

  /// Adds a float, never an integer: the first value fixes the type of a field.
  package mutating func add(_ name: String, _ value: Double, places: Int) {
    addField(name, DecimalText.shortest(value, places: places))
  }

  package mutating func add(_ name: String, _ value: Int) { addField(name, "\(value)i") }

  package mutating func add(_ name: String, _ value: String) {
    var quoted = ""
    for scalar in value.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(Self.isControl(scalar) ? " " : scalar)
    }
    addField(name, "\"\(quoted)\"")
  }

  /// The line with its end; one without a field would be invalid.
  package func bytes(at time: Instant) -> [UInt8] { Array("\(text) \(time.secondsSince1970)\n".utf8) }

  private mutating func addField(_ name: String, _ value: String) {
    text += "\(hasField ? "," : " ")\(name)=\(value)"
    hasField = true
  }

  private static func tagValue(_ value: String) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      // A backslash before one of these, or at the end, is indistinguishable from an escape.
      let plain = isControl(scalar) || scalar == "\\" ? "_" : scalar
      if plain == "," || plain == "=" || plain == " " { escaped += "\\" }
      escaped.unicodeScalars.append(plain)
    }
    return escaped
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
}

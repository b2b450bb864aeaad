// SPDX-License-Identifier: Apache-2.0
package import SampleSync
import TextFormats

/// `libre.probe/1`: the results of `sink test`.
package enum SinkProbeJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "probe", summary: "the results of checking receivers (libre sink test --json)",
    description: "The result of checking each receiver: can it be reached, and does it accept libre's credentials.",
    fields.members)

  package static let fields: Fields<[SinkProbe]> = [Field("sinks", array: sink) { $0 }]

  private static let sink: Fields<SinkProbe> = [
    Field("name") { $0.sink },
    Field("state", .one(of: "success", "error")) { $0.outcome == .good ? "success" : "error" },
    Field("error", .one(of: "partial", "unavailable", "refused", "misdirected")) {
      $0.outcome == .good ? nil : $0.outcome.rawValue
    },
    Field("reason") { $0.words },
  ]
}

package enum SinkProbeText {
  package static func line(for probe: SinkProbe, style: Style) -> String {
    let reason = probe.words.map { ": \(SafeText.line($0))" } ?? ""
    switch probe.outcome {
    case .good: return "\(probe.sink): \(style.good("reachable, access granted"))\n"
    case .partial: return "\(probe.sink): \(style.warning("partial"))\(reason)\n"
    case .unavailable: return "\(probe.sink): \(style.warning("not reachable now"))\(reason)\n"
    case .refused: return "\(probe.sink): \(style.bad("access refused"))\(reason)\n"
    case .misdirected: return "\(probe.sink): \(style.bad("invalid configuration"))\(reason)\n"
    }
  }
}

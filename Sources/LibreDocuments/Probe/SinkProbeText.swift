// SPDX-License-Identifier: Apache-2.0
import LibreKit
package import SampleSync
import TextFormats

/// The results of `sink test`, a line per sink.
package enum SinkProbeText {
  package static func line(for probe: SinkProbe, style: Style) -> String {
    let reason = probe.reason.map { ": \(SafeText.line($0))" } ?? ""
    switch probe.outcome {
    case .good: return "\(probe.sink): \(style.good("reachable, access granted"))\n"
    case .partial: return "\(probe.sink): \(style.warning("partial"))\(reason)\n"
    case .unavailable: return "\(probe.sink): \(style.warning("not reachable now"))\(reason)\n"
    case .refused: return "\(probe.sink): \(style.bad("access refused"))\(reason)\n"
    case .misdirected: return "\(probe.sink): \(style.bad("invalid configuration"))\(reason)\n"
    }
  }
}

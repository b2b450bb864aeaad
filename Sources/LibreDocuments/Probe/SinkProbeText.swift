// SPDX-License-Identifier: Apache-2.0
import LibreKit
public import SampleSync
import TextFormats

/// What `sink test` found, a line for each sink.
public enum SinkProbeText {
  public static func line(for probe: SinkProbe, style: Style) -> String {
    let reason = probe.reason.map { ": \(SafeText.line($0))" } ?? ""
    switch probe.outcome {
    case .good: return "\(probe.sink): \(style.good("it is there and lets us in"))\n"
    case .partial: return "\(probe.sink): \(style.warning("partial"))\(reason)\n"
    case .unavailable: return "\(probe.sink): \(style.warning("not now"))\(reason)\n"
    case .refused: return "\(probe.sink): \(style.bad("it does not let us in"))\(reason)\n"
    case .misdirected: return "\(probe.sink): \(style.bad("wrongly set up"))\(reason)\n"
    }
  }
}

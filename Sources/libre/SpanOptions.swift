// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit

/// Options for the time range.
struct SpanOptions: ParsableArguments {
  // A time may begin with a minus, as no option's value usually does.
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Start of the range: \(TimeArgument.forms), or all.", valueName: "time")
  )
  var from: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("End of the range, in the same forms.", valueName: "time"))
  var to: String?

  /// The limits of the range, with `standard` as its start without `--from`; nil means unlimited.
  ///
  /// - Throws: `configuration(badOption)` for an invalid time, or a range that ends before it starts.
  func ends(now: Instant, standard: Instant?) throws(LibreError) -> (from: Instant?, to: Instant?) {
    var ends = (from: standard, to: Instant?.none)
    if let from { ends.from = try TimeArgument(from, of: "--from", now: now).first }
    if let to { ends.to = try TimeArgument(to, of: "--to", now: now).last }
    if let first = ends.from, let last = ends.to, first > last, from != nil {
      throw .configuration(.badOption(name: "--to", value: to ?? "", allowed: "a time after --from \(from ?? "")"))
    }
    return ends
  }

  /// The end of the range that statistics cover, at most now: future values are not missing. nil without limits, where
  /// the range ends with the last value.
  func end(of ends: (from: Instant?, to: Instant?), now: Instant) -> Instant? {
    ends.from == nil && ends.to == nil ? nil : min(ends.to ?? now, now)
  }
}

/// The option for the ring.
struct RingOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Which samples of the sensor's memory, which has two rings: history (one value every 15 minutes), trend (one value a minute for the last 16 minutes) or all.",
      valueName: "ring"),
    completion: .list(["history", "trend", "all"]))
  var ring = "history"

  func validate() throws {
    guard ring == "all" || SampleRing(rawValue: ring) != nil else {
      throw ValidationError("invalid value \(ring) for --ring. Try: history, trend or all")
    }
  }

  var rings: Set<SampleRing> {
    ring == "all" ? Set(SampleRing.allCases) : Set([SampleRing(rawValue: ring)].compactMap(\.self))
  }
}

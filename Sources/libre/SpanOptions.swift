// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import LibreKit

/// From when to when.
struct SpanOptions: ParsableArguments {
  // A time may begin with a minus, as no option's value usually does.
  @Option(parsing: .unconditional, help: ArgumentHelp("Not before: \(TimeArgument.forms), or all.", valueName: "time"))
  var from: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Not after; as --from.", valueName: "time"))
  var to: String?

  /// The ends, with `standard` for a beginning that is not given. nil is no limit.
  ///
  /// Throws `configuration(badOption)` for text that is no time.
  func ends(now: Instant, standard: Instant?) throws(LibreError) -> (from: Instant?, to: Instant?) {
    var ends = (from: standard, to: Instant?.none)
    if let from { ends.from = try TimeArgument(from, of: "--from", now: now).first }
    if let to { ends.to = try TimeArgument(to, of: "--to", now: now).last }
    if let first = ends.from, let last = ends.to, first > last, from != nil {
      throw .configuration(.badOption(name: "--to", value: to ?? "", allowed: "a time after --from \(from ?? "")"))
    }
    return ends
  }

  /// Where numbers about a stretch end: what is still to come is not missing, nor is what comes after the last value of
  /// everything that there is.
  func end(of ends: (from: Instant?, to: Instant?), now: Instant) -> Instant? {
    ends.from == nil && ends.to == nil ? nil : min(ends.to ?? now, now)
  }
}

/// Which ring.
struct RingOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Samples of which ring: history, trend or all.", valueName: "ring"),
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

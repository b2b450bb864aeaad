// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import LibreKit
public import SampleSync
import TextFormats

/// What happens while samples are sent, in lines for people.
public enum SyncText {
  public static func line(for event: SyncEvent) -> String {
    if case .rehearsed(let rehearsal) = event.kind { return line(for: rehearsal, sink: event.sink) }
    return "\(words(for: event))\n\(resolution(for: event).map { "  Try: \($0)\n" } ?? "")"
  }

  /// The command that helps; nil where nothing is to be done.
  public static func resolution(for event: SyncEvent) -> String? {
    if case .paused = event.kind { "libre sink show \(event.sink)" } else { nil }
  }

  /// One line without its end.
  public static func words(for event: SyncEvent) -> String {
    let text: String
    switch event.kind {
    case .syncing(let pending): text = "\(CountText.of(pending, "sample")) to send"
    case .success(let receipt):
      let known = receipt.duplicates.map { $0 == 0 ? "" : ", \($0) of them known there" } ?? ""
      let span = [receipt.from, receipt.to].compactMap { $0.map { LocalTime.minuteText($0) } }.joined(separator: " to ")
      text = "\(CountText.of(receipt.samples.count, "sample")) delivered, \(span)\(known)"
    case .removed(let ids): text = "\(CountText.of(ids.count, "value")) taken back"
    case .failed(_, let failure, let reason, let rejected):
      let parked =
        rejected.isEmpty
        ? "" : "; \(CountText.of(rejected.count, "sample")) parked (libre outbox list --sink \(event.sink))"
      let retry = failure == .notRemoved ? " (libre outbox retry asks once more)" : ""
      text = "\(words(failure)): \(SafeText.line(reason))\(parked)\(retry)"
    case .nothingToSync: text = "nothing to send"
    case .retryScheduled(let time): text = "the rest waits; tried again at \(LocalTime.text(time))"
    case .paused(let reason):
      text = "nothing is sent: \(SafeText.line(reason))"
    case .completed(let tally):
      let removed = tally.removed == 0 ? "" : "\(tally.removed) taken back, "
      text = "\(removed)\(tally.accepted) delivered, \(tally.dead) parked, \(tally.pending) waiting"
    case .rehearsed: text = event.kind.name
    }
    return "\(event.sink): \(text)"
  }

  /// The request as it would go, below a line that says what it is for.
  private static func line(for rehearsal: SyncEvent.Rehearsal, sink: String) -> String {
    switch rehearsal {
    case .pending(let pending, let destination, let obstacle):
      let stop = obstacle.map { " (nothing is sent: \(SafeText.line($0)))" } ?? ""
      return "# \(sink): \(CountText.of(pending, "sample")) for \(destination)\(stop)\n"
    case .leftOut(let id, let reason): return "# left out: \(id?.description ?? "") \(reason)\n"
    case .question(let purpose, let request):
      return "# to \(purpose); what it answers is made up below\n\(request)"
    case .removal(let ids, let request): return "# to take back \(CountText.of(ids.count, "value"))\n\(request)"
    case .batch(let isHistorical, let ids, let request):
      return "# \(isHistorical ? "historical" : "daily"), \(CountText.of(ids.count, "sample"))\n\(request)"
    }
  }

  private static func words(_ failure: SyncEvent.Failure) -> String {
    switch failure {
    case .unavailable: "not now"
    case .tooLarge: "too large, sent in halves"
    case .rejected: "not taken"
    case .unsuitable: "cannot be told"
    case .notRemoved: "not taken back"
    case .refused: "not let in"
    case .misdirected: "wrongly set up"
    case .unequipped: "not possible on this machine"
    case .sessionEnded: "the session has ended, opened again"
    }
  }
}

extension SyncEvent {
  /// True for what a user has to know of even if nothing else is told.
  public var isTrouble: Bool {
    switch kind {
    case .failed(_, .sessionEnded, _, _): false
    case .failed, .retryScheduled, .paused: true
    case .syncing, .success, .removed, .nothingToSync, .completed, .rehearsed: false
    }
  }
}

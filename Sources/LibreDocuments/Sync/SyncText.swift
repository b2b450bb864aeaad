// SPDX-License-Identifier: Apache-2.0
import HostSystem
import LibreKit
package import SampleSync
import TextFormats

package enum SyncText {
  package static func line(for event: SyncEvent) -> String {
    if case .rehearsed(let rehearsal) = event.kind { return line(for: rehearsal, sink: event.sink) }
    return "\(words(for: event))\n\(resolution(for: event).map { "  Try: \($0)\n" } ?? "")"
  }

  /// The command that helps; nil if nothing needs to be done.
  package static func resolution(for event: SyncEvent) -> String? {
    switch event.kind {
    case .paused: "libre sink show \(event.sink)"
    case .retryScheduled(_, isAsked: true, _), .waitsForInterval: "libre sync --now --sink \(event.sink)"
    case .waitsForClock: "compare this computer's clock with another one, then libre sensor show"
    case .syncing, .success, .removed, .failed, .nothingToSync, .retryScheduled, .completed, .rehearsed: nil
    }
  }

  package static func words(for event: SyncEvent) -> String {
    let text: String
    switch event.kind {
    case .syncing(let queued): text = "\(CountText.of(queued, "sample")) to send"
    case .success(let receipt):
      let known = receipt.duplicates.map { $0 == 0 ? "" : ", \($0) of them already there" } ?? ""
      let span = [receipt.from, receipt.to].compactMap { $0.map { LocalTime.minuteText($0) } }.joined(separator: " to ")
      text = "\(CountText.of(receipt.samples.count, "sample")) delivered, \(span)\(known)"
    case .removed(let ids): text = "\(CountText.of(ids.count, "value")) deleted at the receiver"
    case .failed(_, let failure, let reason, let rejected):
      let parked =
        rejected.isEmpty
        ? "" : "; \(CountText.of(rejected.count, "sample")) parked (libre outbox list --sink \(event.sink))"
      let retry = failure == .notRemoved ? " (libre outbox retry tries again)" : ""
      text = "\(words(failure)): \(SafeText.line(reason))\(parked)\(retry)"
    case .nothingToSync: text = "nothing to send"
    case .retryScheduled(let time, let isAsked, let reason):
      let cause = isAsked ? " (it asked to wait\(reason.map { ": \(SafeText.line($0))" } ?? ""))" : ""
      text = "the rest is queued; next attempt at \(LocalTime.text(time))\(cause)"
    case .paused(let reason):
      text = "nothing is sent: \(SafeText.line(reason))"
    case .waitsForClock(let count, let last):
      text =
        "\(CountText.of(count, "sample")) not sent yet: dated up to \(LocalTime.minuteText(last)), after this computer's time"
    case .waitsForInterval(_, let time):
      text = "next due at \(LocalTime.text(time)), by its interval; what is queued waits until then"
    case .completed(let tally):
      text = counts(removed: tally.removed, accepted: tally.accepted, parked: tally.parked, queued: tally.queued)
    case .rehearsed: text = event.kind.name
    }
    return "\(event.sink): \(text)"
  }

  /// The numbers of a run; `queued` is nil if it was ended from outside.
  static func counts(removed: Int, accepted: Int, parked: Int, queued: Int?) -> String {
    let counts = [removed == 0 ? nil : "\(removed) deleted", "\(accepted) delivered", "\(parked) parked"]
    return (counts + [queued.map { "\($0) queued" }]).compactMap(\.self).joined(separator: ", ")
  }

  /// The exact request, below a line with its purpose.
  private static func line(for rehearsal: SyncEvent.Rehearsal, sink: String) -> String {
    switch rehearsal {
    case .queued(let queued, let destination, let obstacle):
      let stop = obstacle.map { " (nothing is sent: \(SafeText.line($0)))" } ?? ""
      return "# \(sink): \(CountText.of(queued, "sample")) for \(destination)\(stop)\n"
    case .leftOut(let id, let reason): return "# left out: \(id?.description ?? "") \(reason)\n"
    case .question(let purpose, let request):
      return "# to \(purpose); the requests below use an invented response\n\(request)"
    case .removal(let ids, let request): return "# to delete \(CountText.of(ids.count, "value"))\n\(request)"
    case .batch(let isHistorical, let ids, let request):
      return "# \(isHistorical ? "historical" : "daily"), \(CountText.of(ids.count, "sample"))\n\(request)"
    }
  }

  private static func words(_ failure: SyncEvent.Failure) -> String {
    switch failure {
    case .unavailable: "not reachable now"
    case .tooLarge: "too large, sent in halves"
    case .rejected: "rejected"
    case .unsuitable: "cannot be sent"
    case .notRemoved: "not deleted at the receiver"
    case .refused: "access refused"
    case .misdirected: "invalid configuration"
    case .unequipped: "not supported on this machine"
    case .sessionEnded: "the session ended and was opened again"
    }
  }
}

extension SyncEvent {
  /// True for an event that is reported even if all others are not.
  package var isFailure: Bool {
    switch kind {
    case .failed(_, .sessionEnded, _, _): false
    case .failed, .retryScheduled, .paused, .waitsForClock: true
    case .syncing, .success, .removed, .nothingToSync, .waitsForInterval, .completed, .rehearsed: false
    }
  }
}

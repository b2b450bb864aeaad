// SPDX-License-Identifier: Apache-2.0
import HostSystem
import LibreKit
package import SampleStore
package import SampleSync
import TextFormats

/// Sentences for people about what becomes of removed values at the receivers that got them; a sensor that is dated
/// anew is a removal of the values with the old times. Create it before the removal, because afterwards the store no
/// longer knows what was sent. After the removal, run one round of sending, and then ask for the sentences: they say
/// what the round reached.
package struct RemovalNotice: Sendable {
  /// Values that a receiver got: `32 values of 0M00009DHCR from … to …`. By the name of the sink.
  private var sent: [String: String] = [:]
  /// The same for sinks without an entry in `sent`; nil if those got nothing.
  private var sentToAny: String?
  private var areMoved = false

  /// Notes what each sink was sent of a sensor, which is removed, or with `isMoved` gets other times.
  package init(of sensor: StoredSensor, in store: SensorStore, isMoved: Bool = false) throws(StoreError) {
    areMoved = isMoved
    let name = sensor.identity.serial ?? sensor.identity.uid?.description ?? "a sensor without UID"
    for sink in try store.sinks() {
      guard let (count, span) = try store.sentSamples(of: sensor.id, to: sink.id) else { continue }
      sent[sink.name] = Self.words(CountText.of(count, "value"), of: name, span)
    }
  }

  /// Notes the content of removed imports. It is not known which sinks got how much of it.
  package init(of contents: [ImportContent]) {
    let parts = contents.filter { $0.values > 0 }.map { content in
      Self.words("sent values", of: content.sources.joined(separator: ", "), content.span)
    }
    if !parts.isEmpty { sentToAny = parts.joined(separator: "; ") }
  }

  package init(ofValues name: String) { sentToAny = SafeText.line("\(name), if it was sent") }

  private static func words(_ values: String, of name: String, _ span: ClosedRange<Instant>?) -> String {
    let times = span.map { " from \(LocalTime.minuteText($0.lowerBound)) to \(LocalTime.minuteText($0.upperBound))" }
    return SafeText.line("\(values) of \(name)\(times ?? "")")
  }

  /// Returns a sentence for each active sink that got removed values. With `isPlanned` nothing was removed yet.
  package func sentences(
    _ setups: SinkSetups, in store: SensorStore, isPlanned: Bool = false
  ) throws(StoreError) -> [String] {
    var sentences: [String] = []
    for sink in try store.sinks() {
      guard let setup = try? setups[sink.name]?.get(), setup.isEnabled, let values = sent[sink.name] ?? sentToAny
      else { continue }
      var stage = Stage.planned
      if !isPlanned {
        try store.fillOutbox(of: sink.id, for: setup)
        let refused = try store.refusedCount(of: sink.id)
        stage = try store.retractedCount(of: sink.id) > 0 ? .queued : refused > 0 ? .refused(refused) : .done
      }
      let words = words(for: setup.type.removal, values, stage)
      sentences.append("\(sink.name) (\(setup.type.name)): \(words)")
    }
    return sentences
  }

  private enum Stage {
    case planned
    /// The receiver could not be reached, or sending is manual.
    case queued
    /// The receiver kept so many values, by now or earlier.
    case refused(Int)
    case done
  }

  private func words(for removal: SinkType.Removal, _ values: String, _ stage: Stage) -> String {
    let gone = areMoved ? "corrected there" : "deleted there"
    let stay = areMoved ? "sent again, and with the old times still there" : "still there"
    return switch (removal, stage) {
    case (.byKey, .planned): "would be \(gone): \(values)"
    case (.byKey, .queued): "\(gone) with the next libre sync: \(values)"
    case (.byKey, .refused(let count)):
      "\(gone), except for \(count) that it refused to delete (libre outbox retry tries again): \(values)"
    case (.byKey, .done): "\(gone): \(values)"
    case (.replacingState, .planned): "its state would show the newest value that is left, or none"
    case (.replacingState, .queued): "its state shows the newest value that is left, or none, after the next libre sync"
    case (.replacingState, .refused), (.replacingState, .done): "its state shows the newest value that is left, or none"
    case (.impossible(let reason), .planned): "would stay there: \(values); \(reason)"
    case (.impossible(let reason), .queued), (.impossible(let reason), .refused), (.impossible(let reason), .done):
      "\(stay): \(values); \(reason)"
    }
  }
}

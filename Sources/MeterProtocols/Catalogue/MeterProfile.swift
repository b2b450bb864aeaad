// SPDX-License-Identifier: Apache-2.0

/// The ways in which a meter differs from the specification. The default is a meter that does not differ.
package struct MeterProfile: Hashable, Sendable {
  package var quirks: Set<MeterQuirk>
  /// Pause between connecting and the first subscription.
  package var restBeforeSubscribing: Duration
  /// Pause after each subscription.
  package var restAfterSubscribing: Duration
  /// Pause before the request for records.
  package var restBeforeRequest: Duration
  /// The characteristic from which the clock is read; nil if none is known.
  package var clock: MeterCharacteristic?

  package init(
    quirks: Set<MeterQuirk> = [], restBeforeSubscribing: Duration = .zero, restAfterSubscribing: Duration = .zero,
    restBeforeRequest: Duration = .zero, clock: MeterCharacteristic? = .currentTime
  ) {
    self.quirks = quirks
    self.restBeforeSubscribing = restBeforeSubscribing
    self.restAfterSubscribing = restAfterSubscribing
    self.restBeforeRequest = restBeforeRequest
    self.clock = clock
  }
}

/// One way in which a meter differs from the specification.
package enum MeterQuirk: String, Hashable, Sendable, CaseIterable {
  /// Stores ketone tests as glucose; only the context tells them apart.
  case ketonesAsGlucose = "ketones_as_glucose"
  /// Sends month 13 for January.
  case month13 = "month_13"
  /// Numbers its records anew with each measurement.
  case movingNumbers = "moving_numbers"
  /// Sends time offsets that are wrong.
  case wrongOffsets = "wrong_offsets"
  /// Sends its records in UTC, often without the time offset.
  case utcWithoutOffset = "utc_without_offset"
  /// Has placeholders in place of a serial number.
  case placeholderSerial = "placeholder_serial"
  /// Deletes the measurements that it has sent.
  case deletesAfterTransfer = "deletes_after_transfer"
}

// SPDX-License-Identifier: Apache-2.0

/// One point with its meaning: what the sensor stored, what the calibration made of it, and whether to trust it.
public struct GlucoseSample: Hashable, Sendable {
  /// What the sensor stored.
  public let raw: RawSample
  /// Temperature at the sensor in °C; nil where the stored signal gives none.
  public let temperatureCelsius: Double?
  /// What the calibration model made of it, whatever the quality; nil where it gives no number: flagged by the sensor,
  /// empty, uncalibrated or physically impossible. `usableConcentration` is what may be used as glucose.
  public let concentration: GlucoseConcentration?
  /// The first reason not to use it, or `ok`.
  public let quality: SampleQuality
  /// When it was measured; nil without a read time.
  public var time: Instant?
  /// The sensor's own identity for it, the same on every scan; nil without a UID.
  public var id: SampleID?

  @inlinable public init(
    raw: RawSample, temperatureCelsius: Double?, concentration: GlucoseConcentration?, quality: SampleQuality,
    time: Instant? = nil, id: SampleID? = nil
  ) {
    self.raw = raw
    self.temperatureCelsius = temperatureCelsius
    self.concentration = concentration
    self.quality = quality
    self.time = time
    self.id = id
  }

  /// The value that may be counted, sent and shown as glucose: nil unless the quality is `ok`, so that a mean needs no
  /// filter. This is the one place that decides.
  @inlinable public var usableConcentration: GlucoseConcentration? {
    quality == .ok && !raw.hasError ? concentration : nil
  }

  public var ring: SampleRing { raw.ring }
  public var minute: SensorMinute { raw.minute }
}

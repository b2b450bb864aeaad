// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A moment in local time, with the parts from which formats build their own texts.
package struct LocalMoment: Hashable, Sendable {
  /// Local time minus UTC.
  package let offsetMinutes: Int
  /// The time in RFC 3339 with a numeric offset or `Z`: `2024-05-02T12:15:00+02:00`.
  package let rfc3339: String

  package init(_ instant: Instant, _ context: ExportContext) {
    offsetMinutes = context.clock.offsetSeconds(at: instant) / 60
    rfc3339 = instant.rfc3339(offsetSeconds: offsetMinutes * 60)
  }

  /// `2024-05-02`
  package var date: String { String(rfc3339.prefix(10)) }
  /// `12:15:00`
  package var time: String { String(rfc3339.dropFirst(11).prefix(8)) }
  /// `+02:00`
  package var offset: String { Instant.offset(offsetMinutes * 60) }
}

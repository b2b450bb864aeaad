// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The curve of the last hours, for a page that is kept up to date: drawn twice, wide and narrow, of which the page's
/// style shows one.
package struct RecentCurve {
  private let points: [GlucosePoint]
  private let span: ClosedRange<Instant>
  private let clock: WallClock
  private let unit: GlucoseUnit

  /// `points` are in the order of time; those outside `span` are not drawn.
  package init(_ points: [GlucosePoint], span: ClosedRange<Instant>, clock: WallClock, unit: GlucoseUnit) {
    self.points = points.filter { span.contains($0.time) }
    self.span = span
    self.clock = clock
    self.unit = unit
  }

  /// Two SVG elements of the classes `wide` and `narrow`; nil for no values in the span.
  package var html: String? {
    // The narrow one has the size of a phone in its own coordinates, so that words in it are as large as those beside it.
    let shapes = [
      drawing(id: "wide", width: 768, height: 320, left: 44, right: 24),
      drawing(id: "narrow", width: 304, height: 220, left: 32, right: 20),
    ].compactMap { $0.chart?.html }
    return shapes.isEmpty ? nil : shapes.joined(separator: "\n")
  }

  private func drawing(id: String, width: Double, height: Double, left: Double, right: Double) -> TimelineDrawing {
    TimelineDrawing(
      points: points, clock: clock, unit: unit, id: id, span: span, width: width, height: height, left: left,
      right: right, bottom: 26)
  }
}

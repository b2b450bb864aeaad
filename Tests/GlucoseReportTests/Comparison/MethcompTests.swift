// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import TestSupport
import Testing

@testable import GlucoseReport

/// Our zones against those of methcomp at every whole pair up to 550 mg/dL as they are kept in Figures: all counts, and
/// every tenth reference's zones. What methcomp says now is compared with Figures where it is installed.
///
/// `LIBRE_KEEP_FIGURES=1 swift test --filter MethcompTests` writes Figures anew.
struct MethcompTests {
  private static let kept = ForeignFigures.kept("errorgrids")

  /// What methcomp says of a pair, by what we say and what is known of its ways.
  private func expected(_ grid: ErrorGrid, _ reference: Int, _ sensor: Int, _ ours: ErrorGridZone) -> ErrorGridZone {
    switch grid {
    case .clarke:
      // C and D win over E.
      if reference == 180, sensor < 70 { return .c }
      return reference > 240 && sensor == 70 ? .d : ours
    case .parkesType1, .parkesType2:
      // The edge of its areas belongs to none of them.
      if sensor == 0 { return .a }
      // From (250, 40) with the slope of type 1, but through (410, 110) of type 2: 168 2/3 at 570, where its area ends.
      let isInWedge = 960 * (sensor - 40) < 386 * (reference - 250)
      return grid == .parkesType1 && ours == .c && reference > 250 && isInWedge ? .d : ours
    }
  }

  private func check(_ grid: ErrorGrid, against answer: JSONValue) throws {
    var counts: [ErrorGridZone: Int] = [:]
    var differing = 0
    for reference in 1...550 {
      // Without a macro for each of them: there are 300 000.
      let ours = (0...550).compactMap { (sensor: Int) -> ErrorGridZone? in
        GlucosePair(
          time: Instant(secondsSince1970: 0),
          reference: GlucoseConcentration(milligramsPerDecilitre: Double(reference)),
          sensor: GlucoseConcentration(milligramsPerDecilitre: Double(sensor))
        ).map(grid.zone)
      }
      #expect(ours.count == 551)
      let zones = ours.enumerated().map { expected(grid, reference, $0.offset, $0.element) }
      differing += zip(ours, zones).count { $0 != $1 }
      for zone in zones { counts[zone, default: 0] += 1 }
      guard case .string(let theirs) = answer[grid.rawValue]["rows"]["\(reference)"] else { continue }
      let other = Self.zones(theirs)
      #expect(other.count == zones.count)
      for (sensor, (zone, theirs)) in zip(zones, other).enumerated() where zone != theirs {
        #expect(try isOnLine(grid, reference, sensor, of: theirs), "\(grid) \(reference) \(sensor): \(theirs)")
      }
    }
    #expect(answer[grid.rawValue]["rows"].keys == Set((1...55).map { "\($0 * 10)" }))
    for zone in ErrorGridZone.allCases {
      let theirs = try #require(answer[grid.rawValue]["counts"][zone.rawValue].number)
      // Pairs on a line: 15 at most in any zone, and none in Clarke's grid.
      #expect(abs(theirs - Double(counts[zone] ?? 0)) <= (grid == .clarke ? 0 : 15), "\(grid) \(zone)")
    }
    #expect(differing == [.clarke: 380, .parkesType1: 2_105, .parkesType2: 500][grid], "\(grid)")
  }

  /// Whether a pair lies on a line and a hair beside it is that zone: methcomp's lines end at roundings, so that what is
  /// on one may be counted on either side.
  private func isOnLine(_ grid: ErrorGrid, _ reference: Int, _ sensor: Int, of zone: ErrorGridZone) throws -> Bool {
    try grid != .clarke
      && [-1e-6, 1e-6].contains { grid.zone(of: try .of(Double(reference), Double(sensor) + $0)) == zone }
  }

  /// Of `51A9B`.
  private static func zones(_ runs: String) -> [ErrorGridZone] {
    var count = 0
    return runs.reduce(into: []) { zones, character in
      if let digit = character.wholeNumberValue {
        count = count * 10 + digit
      } else if let zone = ErrorGridZone(rawValue: String(character)) {
        zones += Array(repeating: zone, count: count)
        count = 0
      }
    }
  }

  @Test(
    "the recorded zones are those of methcomp",
    .startsProcesses, .enabled(if: ForeignPython.has("methcomp", "shapely"), "\(ForeignPython.absence)"))
  func computed() throws {
    // The counts of all zones, and the rows of every tenth reference.
    let outcome = try ForeignPython.run("errorgrids.py", of: "GlucoseReportTests", ["10"], by: .packages)
    #expect(outcome.status == 0, "\(outcome.errors)")
    if ForeignFigures.areKeptAnew { try Data(outcome.output).write(to: Self.kept) }
    #expect(try outcome.json() == JSONValue(parsing: Data(contentsOf: Self.kept)))
  }

  @Test("zones match the recorded results of methcomp, except for known differences", arguments: ErrorGrid.allCases)
  func remembered(grid: ErrorGrid) throws {
    try check(grid, against: try JSONValue(parsing: Data(contentsOf: Self.kept)))
  }
}

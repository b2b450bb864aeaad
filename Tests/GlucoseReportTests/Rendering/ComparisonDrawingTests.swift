// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import Testing

@testable import GlucoseReport

struct ComparisonDrawingTests {
  private func svg(
    _ pairs: [GlucosePair], _ grid: ErrorGrid = .clarke, _ unit: GlucoseUnit = .milligramsPerDecilitre,
    model: String = "factory", reference: String = "finger-sticks"
  ) -> String {
    ComparisonDrawing(
      pairs, grid: grid, unit: unit, model: model, reference: reference, disclaimer: "Not for treatment decisions."
    ).svg
  }

  /// Values near the reference, and some far from it.
  private func seeded(_ count: Int) throws -> [GlucosePair] {
    var numbers = SplitMix64(seed: 11)
    return try (0..<count).map {
      let reference = Double.random(in: 40...390, using: &numbers)
      let isFar = Int.random(in: 0..<12, using: &numbers) == 0
      let sensor =
        isFar
        ? Double.random(in: 20...500, using: &numbers) : reference * Double.random(in: 0.8...1.25, using: &numbers)
      return try .of(reference, sensor, minutes: $0)
    }
  }

  /// Dots of a class.
  private func dots(_ svg: String, _ kind: String) -> [String] {
    MarkupCheck(xml: svg).paths.filter { $0["class"] == "dots \(kind)" }
      .flatMap { ($0["d"] ?? "").split(separator: "M").map(String.init) }
  }

  @Test("the picture shows model, reference, number, shares, bias and limits", arguments: ErrorGrid.allCases)
  func words(grid: ErrorGrid) throws {
    let pairs = try [GlucosePair.of(100, 110), .of(80, 60), .of(150, 180), .of(200, 200)]
    let check = MarkupCheck(xml: svg(pairs, grid))
    #expect(check.isWellFormed && check.elements["svg"] == 1)
    for words in [
      "factory compared with finger-sticks", "n = 4 pairs", grid.title, "Bland-Altman plot", "bias +5.0",
      "+1.96 SD +45.8", "−1.96 SD −35.8", "Not for treatment decisions.", "Reference, mg/dL",
    ] { #expect(check.text.contains(words), "\(words)") }
    let counts = ErrorGridCounts(pairs, grid: grid)
    for zone in ErrorGridZone.allCases {
      #expect(check.text.contains("\(zone.rawValue) \(ReportNumbers.number(counts.percent(zone), places: 1)) %"))
    }
    #expect(!check.text.contains("edge"))
    #expect(check.coordinates.allSatisfy { $0.isFinite })
  }

  @Test(
    "each pair is a dot at its values in the color of its zone, in either unit, and a dot in the other plot",
    arguments: GlucoseUnit.allCases)
  func places(unit: GlucoseUnit) throws {
    let drawing = svg([try .of(100, 100), try .of(400, 0)], .clarke, unit)
    // 76 and 128 are left and top of the grid, 400 its sides and its mg/dL.
    #expect(dots(drawing, "zone-A") == ["176 428h0"])
    #expect(dots(drawing, "zone-E") == ["476 528h0"])
    #expect(dots(drawing, "pair").count == 2)
    #expect(dots(drawing, "zone-B").isEmpty)
  }

  @Test(
    "without pairs the zones are drawn without shares, and one pair has a bias and no limits",
    arguments: ErrorGrid.allCases)
  func few(grid: ErrorGrid) throws {
    for (pairs, shown, hidden) in [
      ([], ["n = 0 pairs", "No pairs.", "A –"], ["bias ", "nan"]),
      (
        [try .of(100, 88)],
        ["n = 1 pair", "bias −12.0", "Limits of agreement need at least two pairs"], ["1.96", "nan"]
      ),
      ([try .of(100, 100)], ["bias 0.0"], ["nan"]),
    ] as [([GlucosePair], [String], [String])] {
      let check = MarkupCheck(xml: svg(pairs, grid))
      #expect(check.isWellFormed && check.coordinates.allSatisfy { $0.isFinite })
      for words in shown { #expect(check.text.contains(words), "\(words)") }
      for words in hidden { #expect(!check.text.contains(words), "\(words)") }
    }
    let millimoles = MarkupCheck(xml: svg([try .of(180.182, 198.200_2)], grid, .millimolesPerLitre)).text
    #expect(millimoles.contains("bias +1.00") && millimoles.contains("Reference, mmol/L"))
  }

  @Test(
    "ten thousand pairs give ten thousand dots, in a file of less than half a megabyte", arguments: ErrorGrid.allCases)
  func many(grid: ErrorGrid) throws {
    let drawing = svg(try seeded(10_000), grid)
    #expect(MarkupCheck(xml: drawing).isWellFormed)
    #expect(ErrorGridZone.allCases.map { dots(drawing, "zone-\($0.rawValue)").count }.reduce(0, +) == 10_000)
    #expect(dots(drawing, "pair").count == 10_000)
    #expect(drawing.utf8.count < 500_000)
  }

  @Test("a pair beyond an axis is drawn at the edge, and the picture shows the number of such pairs")
  func beyond() throws {
    let drawing = svg([try .of(100, 100), try .of(500, 500), try .of(300, -20)])
    let check = MarkupCheck(xml: drawing)
    #expect(dots(drawing, "zone-A") == ["176 428h0", "476 128h0"])
    #expect(dots(drawing, "zone-E") == ["376 528h0"])
    #expect(check.text.contains("2 pairs lie beyond the axes and stand at the edge."))
    // −1 300 is beyond the differences' axis.
    let differences = MarkupCheck(xml: svg([try .of(100, 100), try .of(300, -1_000)])).text
    #expect(differences.contains("1 pair lies beyond the axes and stands at the edge."))
    let far = svg([try .of(10_000, -10_000), try .of(0.001, 10_000)])
    let places = MarkupCheck(xml: far).coordinates
    #expect(places.allSatisfy { $0.isFinite && $0 >= -400 && $0 < 1_100 })
  }

  @Test("special characters in a name do not break the picture, and a long name is shortened")
  func names() {
    let check = MarkupCheck(
      xml: svg([], model: "<script>&\"'\u{202E}\u{0}", reference: String(repeating: "x", count: 99)))
    #expect(check.isWellFormed && check.elements["script"] == nil)
    #expect(
      check.text.contains(String(repeating: "x", count: 49) + "…")
        && !check.text.contains(String(repeating: "x", count: 50)))
  }

  @Test("the picture is a document of its own, light, and dark if the screen is dark")
  func alone() {
    let drawing = svg([])
    #expect(drawing.contains(#"xmlns="http://www.w3.org/2000/svg""#) && !drawing.contains("var("))
    #expect(drawing.contains("prefers-color-scheme:dark") && drawing.contains(Palette.card.dark))
    let parts = drawing.components(separatedBy: "@media")
    #expect(parts.count == 2 && !parts[0].contains(Palette.card.dark) && parts[0].contains(Palette.soft.light))
  }
}

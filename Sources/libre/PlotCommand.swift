// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import GlucoseReport
import HostSystem
import LibreDocuments
import LibreKit

struct PlotCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draw the values over time, in the terminal.",
    discussion: """
      Shows the last 24 hours of the store, or what --from selects, or everything in the given files. Values up to \
      \(DataGap.bridgedMinutes) minutes apart are joined; finger-sticks are marks of their own. If the terminal has no \
      braille characters (by LC_ALL, LC_CTYPE, LANG and TERM), or with --ascii, the picture is made of plain characters.

      Examples:
        libre plot
        libre plot --from -7d --width 120
        libre plot dump.bin --ascii
      """)

  @OptionGroup var source: ReportSource

  @Option(help: .value("number", "Width in columns, \(Self.text(TerminalPlot.widths)). Default: that of the terminal."))
  var width: Int?

  @Option(help: .value("number", "Height in rows between the axes, \(Self.text(TerminalPlot.heights))."))
  var height = 16

  @Flag(help: "Draw with plain characters.")
  var ascii = false

  @OptionGroup var smoothing: SmoothingOption
  @OptionGroup var global: GlobalOptions
  var flags: [Setting: String] { source.flags }

  func validate() throws {
    try check(width, of: "--width", allowed: Self.text(TerminalPlot.widths), TerminalPlot.widths.contains)
    try check(height, of: "--height", allowed: Self.text(TerminalPlot.heights), TerminalPlot.heights.contains)
  }

  func execute(_ session: Session) throws -> Int32 {
    let found = try source.find(
      session, rings: Set(SampleRing.allCases), minutes: 1_440,
      now: try Program.documentTime(Session.environment))
    if !found.isRead { return found.worst }
    let plot = PlotText(
      unit: session.configuration.unit, style: session.style,
      characters: ascii ? .ascii : Session.characters, smoothing: smoothing.choice)
    try session.write(
      plot.text(
        // Without --from the picture starts at the first value.
        of: found.history, from: source.span.from == nil ? nil : found.from, to: found.to,
        width: width ?? session.columns, height: height))
    found.report(for: "plot", session)
    return found.worst
  }

  private static func text(_ range: ClosedRange<Int>) -> String { "\(range.lowerBound) to \(range.upperBound)" }
}

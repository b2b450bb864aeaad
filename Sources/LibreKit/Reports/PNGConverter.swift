// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// Converts SVG to PNG with an installed program.
public enum PNGConverter {
  /// Known programs, which read SVG from standard input and write PNG to standard output.
  private static let programs = [
    ["rsvg-convert", "--width", "\(width)", "--format", "png"],
    ["magick", "-density", "192", "svg:-", "png:-"],
    ["inkscape", "--pipe", "--export-type=png", "--export-width=\(width)", "--export-filename=-"],
  ]

  /// The width in pixels.
  private static let width = 1_600
  private static let timeoutSeconds = 60
  private static let sizeLimit = 32 << 20
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
  /// The last chunk, which is empty except for its checksum.
  private static let end: [UInt8] = [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

  /// Converts SVG to PNG with the first installed program.
  ///
  /// - Throws: `report`: `noConverter`, or `converterFailed`.
  public static func png(of svg: String, environment: [String: String]) throws(LibreError) -> [UInt8] {
    for words in programs {
      let timed = ["timeout", "--kill-after=5", "\(timeoutSeconds)"] + words
      let outcome = ChildProcess.run(timed, environment: environment, input: Array(svg.utf8)) { byte, output in
        output.append(byte)
        return output.count < sizeLimit
      }
      // Not installed, or not executable by this user.
      if [126, 127].contains(outcome.status) { continue }
      guard outcome.status == 0, outcome.output.starts(with: signature), outcome.output.suffix(end.count) == end[...]
      else {
        throw .report(.converterFailed(program: words[0], makes: "PNG", status: outcome.status))
      }
      return outcome.output
    }
    throw .report(
      .noConverter(
        from: "SVG", to: "PNG", known: programs.map { $0[0] }, package: "librsvg2-bin", instead: "--svg"))
  }
}

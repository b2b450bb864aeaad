// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// Converts SVG to PNG with an installed program.
package enum PNGConverter {
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

  /// A text chunk `Software`, `libre` with its checksum, by which a picture is recognized when a newer one replaces it.
  private static let mark: [UInt8] = [
    0x00, 0x00, 0x00, 0x0E, 0x74, 0x45, 0x58, 0x74, 0x53, 0x6F, 0x66, 0x74, 0x77, 0x61, 0x72, 0x65, 0x00, 0x6C, 0x69,
    0x62, 0x72, 0x65, 0xD9, 0x3C, 0xA9, 0xAA,
  ]
  /// The signature and the first chunk, which every PNG begins with.
  private static let headSize = 33

  private static func marked(_ png: [UInt8]) -> [UInt8] {
    Array(png.prefix(headSize)) + mark + png.dropFirst(headSize)
  }

  /// True for a picture that was made here.
  static func isMade(_ file: [UInt8]) -> Bool {
    file.starts(with: signature) && file.dropFirst(headSize).starts(with: mark)
  }

  /// Converts SVG to PNG with the first installed program.
  ///
  /// - Throws: `report`: `noConverter`, or `converterFailed`.
  package static func png(of svg: String, environment: [String: String]) throws(LibreError) -> [UInt8] {
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
      return Self.marked(outcome.output)
    }
    throw .report(
      .noConverter(
        from: "SVG", to: "PNG", known: programs.map { $0[0] }, package: "librsvg2-bin", instead: "--svg"))
  }
}

// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreKit
import SensorHistory

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Converts the report page to PDF, or a picture to PNG, with the first installed program of several.
package struct ReportConverter: Sendable {
  let from: String
  let to: String
  /// They read standard input and write standard output; one word is a browser, which reads and writes files.
  let programs: [[String]]
  /// A package with such a program, and an option that needs none.
  let package: String
  let instead: String?
  let timeoutSeconds: Int
  let sizeLimit: Int
  let isSilent: Bool
  /// The first and the last bytes of a whole file.
  let signature: [UInt8]
  let end: [UInt8]
  /// Bytes by which a file of libre is recognised when a newer one replaces it, and their place; nil for the end.
  let mark: [UInt8]
  let markOffset: Int?

  /// Browsers come first, because they render the page exactly. The mark is a comment after the document.
  package static let pdf = ReportConverter(
    from: "HTML", to: "PDF",
    programs: [
      ["chromium"], ["chromium-browser"], ["google-chrome"], ["weasyprint", "-", "-"],
      ["wkhtmltopdf", "--quiet", "-", "-"],
    ], package: "chromium", instead: nil, timeoutSeconds: 120, sizeLimit: 64 << 20, isSilent: true,
    signature: Array("%PDF-".utf8), end: [], mark: Array("\n% libre report\n".utf8), markOffset: nil)

  /// A PNG ends with a chunk that is empty except for its checksum. The mark is a text chunk `Software`, `libre` with its
  /// checksum, after the signature and the first chunk.
  package static let png = ReportConverter(
    from: "SVG", to: "PNG",
    programs: [
      ["rsvg-convert", "--width", "1600", "--format", "png"], ["magick", "-density", "192", "svg:-", "png:-"],
      ["inkscape", "--pipe", "--export-type=png", "--export-width=1600", "--export-filename=-"],
    ], package: "librsvg2-bin", instead: "--svg", timeoutSeconds: 60, sizeLimit: 32 << 20, isSilent: false,
    signature: [0x89, 0x50, 0x4E, 0x47], end: [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82],
    mark: [0, 0, 0, 0x0E] + Array("tEXtSoftware\0libre".utf8) + [0xD9, 0x3C, 0xA9, 0xAA], markOffset: 33)

  func isMade(_ file: [UInt8]) -> Bool {
    file.starts(with: signature) && file.dropFirst(markOffset ?? max(0, file.count - mark.count)).starts(with: mark)
  }

  /// - Throws: `LibreError.report`: `noConverter`, or `converterFailed`.
  package func convert(_ text: String, environment: [String: String]) throws(LibreError) -> [UInt8] {
    for words in programs {
      let (status, bytes) =
        words.count == 1
        ? try render(text, with: words[0], environment) : run(words, Array(text.utf8), environment)
      // Not installed, or not executable by this user.
      if [126, 127].contains(status) { continue }
      guard status == 0, bytes.starts(with: signature), bytes.suffix(end.count) == end[...] else {
        throw .report(.converterFailed(program: words[0], makes: to, status: status))
      }
      let place = min(markOffset ?? bytes.count, bytes.count)
      return bytes[..<place] + mark + bytes[place...]
    }
    throw .report(.noConverter(from: from, to: to, known: programs.map { $0[0] }, package: package, instead: instead))
  }

  private func run(_ words: [String], _ input: [UInt8], _ environment: [String: String]) -> (Int, [UInt8]) {
    let timed = ["timeout", "--kill-after=5", "\(timeoutSeconds)"] + words
    let outcome = ChildProcess.run(timed, environment: environment, input: input, isSilent: isSilent) { byte, output in
      output.append(byte)
      return output.count < sizeLimit
    }
    return (outcome.status, outcome.output)
  }

  /// Renders the page in a directory that only this user can read, because it contains health data.
  private func render(
    _ html: String, with browser: String, _ environment: [String: String]
  ) throws(LibreError) -> (Int, [UInt8]) {
    let place = environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(place)/libre-report-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .output(.refused(path: place, number: errno)) }
    let directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { _ = ChildProcess.run(["rm", "-rf", directory], environment: environment) }
    let (page, document) = ("\(directory)/page.html", "\(directory)/page.pdf")
    try libre(FileSystem.write(Array(html.utf8), to: page, isPrivate: true))
    let words = [
      browser, "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--no-pdf-header-footer",
      "--user-data-dir=\(directory)/profile", "--print-to-pdf=\(document)",
    ]
    // Chromium's sandbox refuses to run for root.
    let (status, _) = run(words + (geteuid() == 0 ? ["--no-sandbox"] : []) + ["file://\(page)"], [], environment)
    guard status == 0, FileSystem.exists(document) else { return (status == 0 ? 1 : status, []) }
    return (0, try Files.read(document, limit: sizeLimit))
  }
}

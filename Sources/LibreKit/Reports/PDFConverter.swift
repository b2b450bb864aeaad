// SPDX-License-Identifier: Apache-2.0
import HostSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Converts the report page to PDF with an installed program.
package enum PDFConverter {
  /// A program and the way to call it.
  private enum Program {
    /// A program that reads HTML from standard input and writes PDF to standard output.
    case pipe([String])
    /// A browser, which reads and writes files and needs a directory for its profile.
    case browser(String)

    var name: String {
      switch self {
      case .pipe(let words): words[0]
      case .browser(let name): name
      }
    }
  }

  /// Known programs, browsers first because they render the page exactly.
  private static let programs: [Program] = [
    .browser("chromium"), .browser("chromium-browser"), .browser("google-chrome"), .pipe(["weasyprint", "-", "-"]),
    .pipe(["wkhtmltopdf", "--quiet", "-", "-"]),
  ]

  private static let timeoutSeconds = 120
  private static let sizeLimit = 64 << 20
  private static let signature = Array("%PDF-".utf8)

  /// A comment after the document, by which a report is recognized when a newer one replaces it.
  private static let mark = Array("\n% libre report\n".utf8)

  /// True for a file that was made here.
  static func isMade(_ file: [UInt8]) -> Bool { file.starts(with: signature) && file.suffix(mark.count) == mark[...] }

  /// Converts HTML to PDF with the first installed program.
  ///
  /// - Throws: `LibreError.report`: `noConverter`, or `converterFailed`.
  package static func pdf(of html: String, environment: [String: String]) throws(LibreError) -> [UInt8] {
    for program in programs {
      let (status, bytes) =
        switch program {
        case .pipe(let words): run(words, html, environment)
        case .browser(let name): try rendering(of: html, by: name, environment)
        }
      // Not installed, or not executable by this user.
      if [126, 127].contains(status) { continue }
      guard status == 0, bytes.starts(with: signature) else {
        throw .report(.converterFailed(program: program.name, makes: "PDF", status: status))
      }
      return bytes + mark
    }
    throw .report(.noConverter(from: "HTML", to: "PDF", known: programs.map(\.name), package: "chromium", instead: nil))
  }

  private static func run(_ words: [String], _ html: String, _ environment: [String: String]) -> (Int, [UInt8]) {
    let timed = ["timeout", "--kill-after=5", "\(timeoutSeconds)"] + words
    let outcome = ChildProcess.run(timed, environment: environment, input: Array(html.utf8), isSilent: true) {
      byte, output in
      output.append(byte)
      return output.count < sizeLimit
    }
    return (outcome.status, outcome.output)
  }

  /// Renders the page in a directory that only this user can read, because it contains health data.
  private static func rendering(
    of html: String, by browser: String, _ environment: [String: String]
  ) throws(LibreError) -> (Int, [UInt8]) {
    var template = Array("\(environment["TMPDIR"] ?? "/tmp")/libre-report-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .output(.refused(path: environment["TMPDIR"] ?? "/tmp", number: errno))
    }
    let directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { _ = ChildProcess.run(["rm", "-rf", directory], environment: environment) }
    let (page, document) = ("\(directory)/page.html", "\(directory)/page.pdf")
    try Files.write(Array(html.utf8), to: page, isPrivate: true)
    var words = [
      browser, "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--no-pdf-header-footer",
      "--user-data-dir=\(directory)/profile", "--print-to-pdf=\(document)",
    ]
    // Chromium's sandbox refuses to run for root.
    if geteuid() == 0 { words.append("--no-sandbox") }
    let (status, _) = run(words + ["file://\(page)"], "", environment)
    guard status == 0, FileSystem.exists(document) else { return (status == 0 ? 1 : status, []) }
    return (0, try Files.read(document, limit: sizeLimit))
  }
}

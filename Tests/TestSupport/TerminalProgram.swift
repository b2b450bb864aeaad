// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A program whose three streams are one terminal, with a test in the place of the person.
package final class TerminalProgram {
  private let process = Process()
  private let master: Int32
  /// What the terminal has shown, without carriage returns; and how much of it was waited for.
  package private(set) var shown = ""
  private var seen: String.Index

  package enum Failure: Error {
    case noTerminal
    /// It ended, and has not shown the text; all that it showed.
    case notShown(String, shown: String)
  }

  /// `lines` is the height of the terminal; 0 is unknown.
  init(
    program: String, _ arguments: [String], in folder: URL, environment: [String: String], lines: UInt16 = 0
  ) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize()
    (size.ws_row, size.ws_col) = (lines, lines > 0 ? 80 : 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw Failure.noTerminal }
    self.master = master
    seen = shown.startIndex
    // Another test's program must not hold this terminal open.
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = environment
    (process.standardInput, process.standardOutput, process.standardError) = (terminal, terminal, terminal)
    defer { close(slave) }
    try process.run()
  }

  deinit {
    process.terminate()
    close(master)
  }

  /// Waits until the terminal shows a text that was not waited for before.
  package func waits(for text: String) throws {
    while true {
      if let range = shown[seen...].firstRange(of: text) {
        seen = range.upperBound
        return
      }
      guard readMore() else { throw Failure.notShown(text, shown: shown) }
    }
  }

  /// Types; a line ends with `\n`, Ctrl-D is `\u{4}`, Ctrl-C is `\u{3}`.
  package func type(_ text: String) { _ = write(master, text, text.utf8.count) }

  /// Waits for each text, and types what belongs to it.
  package func answers(_ answers: KeyValuePairs<String, String>) throws {
    for (text, answer) in answers {
      try waits(for: text)
      type(answer)
    }
  }

  /// Whether the terminal shows what is typed.
  package var echoes: Bool {
    var settings = termios()
    return tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Waits for the end; the exit status, 128 and more for a signal.
  package func status() -> Int32 {
    while readMore() {}
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// False when the program has left the terminal.
  private func readMore() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    let position = shown.distance(from: shown.startIndex, to: seen)
    shown += String(decoding: buffer.prefix(count).filter { $0 != 0x0D }, as: UTF8.self)
    seen = shown.index(shown.startIndex, offsetBy: position)
    return true
  }
}

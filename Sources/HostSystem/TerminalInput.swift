// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

package enum TerminalInput {
  package enum Entry: Hashable, Sendable {
    case line(String)
    /// Ctrl-D, or a closed terminal.
    case end
    /// Ctrl-C during hidden input.
    case interrupted
  }

  package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Waits for a line. Ctrl-C sends its signal as usual.
  package static func line() -> Entry {
    var line: [UInt8] = []
    while let byte = byte() {
      if byte == lineFeed { return .line(String(decoding: line, as: UTF8.self)) }
      line.append(byte)
    }
    return line.isEmpty ? .end : .line(String(decoding: line, as: UTF8.self))
  }

  /// Waits for a line that the terminal does not show; `prompt` is called first.
  ///
  /// Ctrl-C does not send a signal here, because a program that ends now would leave the terminal without echo.
  package static func hiddenLine(prompt: () -> Void) -> Entry {
    var usual = termios()
    guard tcgetattr(STDIN_FILENO, &usual) == 0 else { return .end }
    var hidden = usual
    hidden.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
    withUnsafeMutableBytes(of: &hidden.c_cc) {
      $0[Int(VMIN)] = 1; $0[Int(VTIME)] = 0
    }
    guard tcsetattr(STDIN_FILENO, TCSADRAIN, &hidden) == 0 else { return .end }
    defer { tcsetattr(STDIN_FILENO, TCSADRAIN, &usual) }
    prompt()
    var line: [UInt8] = []
    while let byte = byte() {
      switch byte {
      case lineFeed, carriageReturn: return .line(String(decoding: line, as: UTF8.self))
      case 0x03: return .interrupted
      case 0x04 where line.isEmpty: return .end
      case 0x08, 0x7F:
        // Removes a whole character of several bytes.
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
      case 0x15: line = []
      default: line.append(byte)
      }
    }
    return .end
  }

  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  /// nil at the end.
  private static func byte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 1 { return byte }
      if count < 0, errno == EINTR { continue }
      return nil
    }
  }
}

package enum ProcessArguments {
  /// The name of the program first. Swift's own list replaces bytes that are not UTF-8, and a file of such a
  /// name could not be opened; here they stay, as in every path (`FileNameText`).
  package static var all: [String] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { String(fileName: $0) } }
  }
}

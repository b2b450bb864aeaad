// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// Colour on a terminal. Text always has the same meaning without colour.
public struct Style: Sendable {
  public let isColored: Bool

  public init(isColored: Bool) { self.isColored = isColored }

  public func bold(_ text: String) -> String { wrap(text, "1") }
  public func dim(_ text: String) -> String { wrap(text, "2") }
  public func good(_ text: String) -> String { wrap(text, "32") }
  public func warning(_ text: String) -> String { wrap(text, "33") }
  public func bad(_ text: String) -> String { wrap(text, "31") }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

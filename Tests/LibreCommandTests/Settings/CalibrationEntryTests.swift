// SPDX-License-Identifier: Apache-2.0
import CGMModel
import CommandSupport
import Foundation
import Libre1Core
import LibreKit
import TestSupport
import Testing

struct CalibrationEntryTests {
  @Test("a line that the user names has the user's numbers")
  func models() throws {
    for (text, slope, offset) in [("linear:0.13,-20", 0.13, -20.0), ("linear:1e-1,+5", 0.1, 5)] {
      guard case .model(let model) = CalibrationChoice(text), let linear = model as? LinearCalibration else {
        Issue.record("\(text) is no straight line")
        continue
      }
      #expect(linear.slope == slope && linear.offset == offset)
    }
    // Unknown names, too few or too many numbers and non-finite numbers are refused.
    for text in [
      "", "Factory", "factory:1", "user:1,0", "reader:1", "linear", "linear:0.1", "linear:,0", "linear:0.1,0,0",
      "linear:nan,0", "linear:0.1,inf", "linear:0.1,0 ", "linear:1e999,0", "oop",
    ] { #expect(CalibrationChoice(text) == nil, "\(text)") }
  }

  @Test("whoever is offered reader is told what it claims: in the help and in the article on which value to take")
  func claimedVersions() throws {
    let entry = try #require(CalibrationEntry.named("reader"))
    let (help, caution) = (CalibrationEntry.help(), try #require(entry.caution))
    #expect(help.contains("(\(entry.summary))") && help.contains(caution))
    let article = "Sources/SensorHistory/SensorHistory.docc/WhichValue.md"
    let text = String(
      decoding: try Repository.bytes(at: Repository.root.appendingPathComponent(article)), as: UTF8.self)
    let words = text.replacing("`", with: "").split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains(entry.claim.joined(separator: " ")))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import SensorHistory
import TestSupport
import Testing

@testable import CommandSupport
@testable import LibreKit

@Suite(.startsProcesses) struct ReportConverterTests {
  private static let picture =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 20\"><rect width=\"40\" height=\"20\" fill=\"red\"/></svg>"

  @Test("a PNG has the proportions of its picture")
  func converts() throws {
    let png = try ReportConverter.png.convert(Self.picture, environment: ProcessInfo.processInfo.environment)
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    func number(at position: Int) -> Int { png[position..<position + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(at: 16) == 1_600 && number(at: 20) == 800)
    #expect(ReportConverter.png.isMade(png) && !ReportConverter.png.isMade(Array(png.prefix(33) + png.dropFirst(59))))
    // The error for an invalid picture names the program.
    #expect {
      try ReportConverter.png.convert("no picture", environment: ProcessInfo.processInfo.environment)
    } throws: { error in
      guard case .converterFailed(let program, _, let status) = (error as? LibreError)?.cause as? ReportError else {
        return false
      }
      return program == "rsvg-convert" && status > 0
    }
  }
}

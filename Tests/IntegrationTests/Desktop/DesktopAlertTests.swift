// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Alerts on a desktop: a real message bus, with dbusmock's program that shows notifications.
@Suite("an alert on the desktop", .enabled(if: BluetoothBus.isThere))
struct DesktopAlertTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// Runs a script in a desktop session; returns its output without the last line, and the notifications.
  private func session(_ script: String) async throws -> (output: String, notifications: [JSONValue]) {
    let program = Repository.root.appendingPathComponent("Tests/IntegrationTests/Desktop/notifications.py").path
    try sandbox.write(script, to: "script.sh")
    let outcome = try await sandbox.shell("/usr/bin/python3 \(program) '. ./script.sh'", in: [:])
    let lines = outcome.text.split(separator: "\n")
    let facts = try JSONValue(parsing: try #require(lines.last, "\(outcome.errors)").utf8)
    #expect(facts["status"] == .number(0), "\(outcome.text) \(outcome.errors)")
    return (lines.dropLast().joined(separator: "\n"), facts["notifications"].elements)
  }

  @Test("comes once for a value, with its urgency, value, direction and age")
  func value() async throws {
    let (output, notifications) = try await session(
      """
      set -e
      $LIBRE alerts add high --above 30mg
      $LIBRE alerts add low --below 600mg
      $LIBRE read --reader sim:active --store s.sqlite > /dev/null
      for round in 1 2; do $LIBRE alerts check --store s.sqlite; done
      """)
    #expect(output.split(separator: "\n").count == 2, "\(output)")
    let titles = notifications.map { $0[3].text }
    #expect(titles == ["Glucose is high", "Glucose is low"])
    #expect(notifications.map { $0[6]["urgency"] } == [.number(1), .number(2)])
    for notification in notifications {
      let text = try #require(notification[4].text)
      #expect(output.contains("\(notification[3].text ?? ""): \(text)"))
      #expect(text.contains(" mg/dL ") && (text.contains("ago") || text.contains("just now")), "\(text)")
    }
  }

  @Test("is replaced by one that names the way that failed after it")
  func replaced() async throws {
    let (_, notifications) = try await session(
      """
      set -e
      $LIBRE alerts add high --tell desktop --run false
      $LIBRE alerts test
      """)
    #expect(notifications.map { $0[1] } == [.number(0), .number(1)])
    #expect(notifications.map { $0[3] } == [.string("Test: Glucose is high"), .string("Test: Glucose is high")])
    #expect(notifications.last?[4].text?.hasSuffix("Not told by command: false ended with status 1.") == true)
  }
}

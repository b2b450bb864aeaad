// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Alerts on a desktop: a real message bus, with dbusmock's program that shows notifications.
@Suite("an alert on the desktop", .enabled(if: BluetoothBus.isThere))
struct DesktopAlertTests {
  @Test("comes once for a value, with its urgency, value, direction and age")
  func value() async throws {
    let sandbox = try Sandbox()
    try sandbox.write(
      """
      set -e
      $LIBRE alerts add high --above 30mg
      $LIBRE alerts add low --below 600mg
      $LIBRE read --reader sim:active --store s.sqlite > /dev/null
      for round in 1 2; do $LIBRE alerts check --store s.sqlite; done
      """, to: "script.sh")
    let program = Repository.root.appendingPathComponent("Tests/IntegrationTests/Desktop/notifications.py").path
    let outcome = try await sandbox.shell("/usr/bin/python3 \(program) '. ./script.sh'", in: [:])
    // The last line has the exit status and the notifications.
    let facts = try JSONValue(parsing: try #require(outcome.lines.last, "\(outcome.errors)").utf8)
    let (output, notifications) = (outcome.lines.dropLast(), facts["notifications"].elements)
    #expect(facts["status"] == .number(0) && output.count == 2, "\(outcome)")
    let titles = notifications.map { $0[3].text }
    #expect(titles == ["Glucose is high", "Glucose is low"])
    #expect(notifications.map { $0[6]["urgency"] } == [.number(1), .number(2)])
    for notification in notifications {
      let text = try #require(notification[4].text)
      #expect(outcome.text.contains("\(notification[3].text ?? ""): \(text)"))
      #expect(text.contains(" mg/dL ") && (text.contains("ago") || text.contains("just now")), "\(text)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

/// Facts about a rule for alerts that outlive a program: no value is told twice, and none is told from before the rule.
package struct AlertMemory: Hashable, Sendable {
  /// A value of a sensor by its own minute, which does not move when the sensor is dated anew.
  package struct Place: Hashable, Sendable {
    /// The sensor's name and the number of the wear.
    package let wear: String
    package let minute: Int

    package init(wear: String, minute: Int) { (self.wear, self.minute) = (wear, minute) }
  }

  package struct Words: Hashable, Sendable {
    package let title: String
    package let text: String
    /// 0 minor, 1 normal, 2 critical.
    package let urgency: Int

    package init(title: String, text: String, urgency: Int) {
      (self.title, self.text, self.urgency) = (title, text, urgency)
    }
  }

  package struct Snooze: Hashable, Sendable {
    package let from: Instant
    package let minutes: Int

    package init(from: Instant, minutes: Int) { (self.from, self.minutes) = (from, minutes) }
    package var end: Instant { from.adding(minutes: minutes) }

    /// True also after the clock was set back by more than a day: nothing is silenced for years by a clock that was wrong.
    package func isOver(at now: Instant) -> Bool { now >= end || now < from.adding(days: -1) }
  }

  /// The time of the first evaluation, or of the last one that had a new value: another sensor's values from before it are
  /// not told.
  package var countsFrom: Instant
  /// The last value that was evaluated; nil before the first one.
  package var seen: Place?
  /// Causes that last and were told, each by a key of the rule's own.
  package var told: Set<String> = []
  package var toldAt: Instant?
  package var snooze: Snooze?
  /// The last alert, for those who come later: told at `toldAt`.
  package var last: Words?

  package init(countsFrom: Instant) { self.countsFrom = countsFrom }
}

extension Schema {
  static let alertTable = """
    CREATE TABLE alert (
      rule TEXT PRIMARY KEY,
      counts_from INTEGER NOT NULL,
      seen_wear TEXT,
      seen_minute INTEGER,
      told TEXT NOT NULL,
      told_at INTEGER,
      snoozed_at INTEGER,
      snoozed_minutes INTEGER,
      title TEXT,
      text TEXT,
      urgency INTEGER CHECK (urgency BETWEEN 0 AND 2),
      checksum INTEGER,
      CHECK ((seen_wear IS NULL) = (seen_minute IS NULL)),
      CHECK ((snoozed_at IS NULL) = (snoozed_minutes IS NULL)),
      CHECK ((title IS NULL) = (text IS NULL) AND (title IS NULL) = (urgency IS NULL))
    ) STRICT, WITHOUT ROWID
    """
}

extension SensorStore {
  package func alertMemories() throws(StoreError) -> [String: AlertMemory] {
    let rows = try statement(
      """
      SELECT rule, counts_from, seen_wear, seen_minute, told, told_at, snoozed_at, snoozed_minutes, title, text, urgency
      FROM alert
      """
    ).all { row -> (String, AlertMemory) in
      var memory = AlertMemory(countsFrom: row.value(1).instant ?? Instant(secondsSince1970: 0))
      if let wear = row.value(2).text, let minute = row.value(3).minutes {
        memory.seen = AlertMemory.Place(wear: wear, minute: minute)
      }
      memory.told = Set((row.value(4).text ?? "").split(separator: "\n").map(String.init))
      memory.toldAt = row.value(5).instant
      if let from = row.value(6).instant, let minutes = row.value(7).minutes {
        memory.snooze = AlertMemory.Snooze(from: from, minutes: minutes)
      }
      if let title = row.value(8).text, let text = row.value(9).text, let urgency = row.value(10).integer {
        memory.last = AlertMemory.Words(title: title, text: text, urgency: Int(urgency))
      }
      return (row.value(0).text ?? "", memory)
    }
    return Dictionary(rows) { $1 }
  }

  /// Stores what a rule has told in place of what it had; nil forgets the rule.
  package func setAlertMemory(_ memory: AlertMemory?, of rule: String) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try run("DELETE FROM alert WHERE rule = ?", .text(rule))
      guard let memory else { return }
      try run(
        """
        INSERT INTO alert (rule, counts_from, seen_wear, seen_minute, told, told_at, snoozed_at, snoozed_minutes, title,
          text, urgency)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        .text(rule), .instant(memory.countsFrom), .text(orNull: memory.seen?.wear),
        .integer(memory.seen?.minute), .text(memory.told.sorted().joined(separator: "\n")),
        .instant(memory.toldAt), .instant(memory.snooze?.from),
        .integer(memory.snooze?.minutes), .text(orNull: memory.last?.title),
        .text(orNull: memory.last?.text), .integer(memory.last?.urgency))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreDocuments
package import LibreKit
import Meters
import SampleSync
import SensorHistory

/// Evaluates the rules of one person, and tells what they say. It may block: a desktop or a program is waited for.
///
/// It belongs to one task.
package final class AlertTeller {
  private let session: Session
  /// The person's name before each alert, if several people are known.
  private let person: String?
  /// Numbers of the last notifications on the desktop, by the rule: an alert replaces the one before it.
  private var shown: [String: UInt32] = [:]
  /// Memories of rules that told and could not be stored: a full disk must not repeat an alert in every round.
  private var unsaved: [String: AlertMemory] = [:]
  /// Failures of the last round. Each is reported once, not every half minute.
  private var reported: Set<String> = []
  private var failures: Set<String> = []

  package init(_ session: Session, person: String?) { (self.session, self.person) = (session, person) }

  /// Evaluates all rules once. Returns what was to be told; `isTold` is false if none of its ways worked, and then it is
  /// told in the next round. Another program that evaluates the same store now has done it all.
  package nonisolated(nonsending) func round() async throws(LibreError) -> [(alert: WordedAlert, isTold: Bool)] {
    defer { (reported, failures) = (failures, []) }
    let setups = try enabledSetups()
    let path = try session.storePath()
    guard !setups.isEmpty, FileSystem.exists(path) else { return [] }
    let lock = try libre(FileLock("\(FileSystem.resolved(path))-alerts"))
    guard lock.take() else { return [] }
    defer { withExtendedLifetime(lock) {} }
    let (facts, stored) = try read(path)
    let memories = stored.merging(unsaved) { $1 }
    var told: [(WordedAlert, Bool)] = []
    var changes: [String: AlertMemory] = [:]
    for setup in setups {
      let earlier = memories[setup.rule.name]
      var (alerts, memory) = setup.rule.evaluation(of: facts, after: earlier)
      let worded = alerts.map { WordedAlert($0, person: person, unit: session.configuration.unit) }
      var results: [(WordedAlert, Bool)] = []
      for alert in worded { results.append((alert, await tell(alert, by: setup))) }
      told += results
      guard results.isEmpty || results.contains(where: \.1), memory != earlier else { continue }
      if let last = worded.last {
        memory.last = AlertMemory.Words(
          title: last.title, text: last.sentence, urgency: last.alert.urgency.rawValue)
      }
      changes[setup.rule.name] = memory
    }
    unsaved.merge(changes) { $1 }
    if !unsaved.isEmpty { try save(unsaved, over: stored, in: path) }
    unsaved = [:]
    return told
  }

  private func save(
    _ changes: [String: AlertMemory], over read: [String: AlertMemory], in path: String
  ) throws(LibreError) {
    let store = try Session.openForWriting(path)
    let present = try libre(store.alertMemories())
    for (rule, var memory) in changes {
      // The user may have silenced or removed it while it was told.
      if present[rule] == nil, read[rule] != nil { continue }
      if present[rule]?.snooze != read[rule]?.snooze { memory.snooze = present[rule]?.snooze }
      try libre(store.setAlertMemory(memory, of: rule))
    }
  }

  /// Tells by all ways of a rule; returns false if none worked. A way that fails is named by those after it.
  package nonisolated(nonsending) func tell(_ alert: WordedAlert, by setup: AlertSetup) async -> Bool {
    var failed: [String] = []
    var worked: AlertSetup.Way?
    for way in setup.ways {
      if let reason = await attempt(way, alert.noting(failed), setup) {
        failed.append("Not told by \(way.word): \(reason).")
        report(
          "alert \(setup.rule.name): \(way.word) cannot tell: \(reason)", resolution: way.remedy(setup.rule.name))
      } else {
        worked = worked ?? way
      }
    }
    // The last way that failed has none after it. On the desktop the same notification is replaced.
    if worked == .desktop, !failed.isEmpty, setup.ways.last != .desktop {
      _ = await attempt(.desktop, alert.noting(failed), setup)
    }
    return worked != nil
  }

  /// Returns the reason why a way failed; nil if it told.
  private nonisolated(nonsending) func attempt(
    _ way: AlertSetup.Way, _ alert: WordedAlert, _ setup: AlertSetup
  ) async -> String? {
    switch way {
    case .desktop:
      let notification = DesktopNotification(
        title: alert.title, text: alert.sentence, urgency: UInt8(alert.alert.urgency.rawValue),
        replaced: shown[setup.rule.name] ?? 0)
      do throws(DesktopNotification.Failure) {
        shown[setup.rule.name] = try notification.show(environment: session.environment)
        return nil
      } catch {
        return error.reason
      }
    case .journal:
      Session.notify(
        "\(alert.title): \(alert.sentence)", level: alert.alert.urgency == .minor ? .notice : .warning,
        [("alert", .text(setup.rule.name))])
      return nil
    case .sink(let name):
      let sink: SinkSetup
      do throws(LibreError) {
        // It may have been set up while this program runs.
        let sinks = try ConfigurationFile.load(environment: session.environment)?.sinkSetups() ?? [:]
        guard let found = sinks[name] else { throw .sink(.noSuchSink(name, known: sinks.keys.sorted())) }
        sink = try found.get()
      } catch {
        return error.message
      }
      let sent = SentAlert(
        kind: alert.alert.rule.kind.rawValue, title: alert.title, text: alert.sentence, urgency: alert.alert.urgency,
        document: AlertJSON.line(of: alert))
      return await sent.send(to: sink, environment: session.environment, now: alert.alert.at) { [session] in
        session.courier(to: $0, of: sink)
      }
    case .command:
      let own = session.environment.filter { !SecretVariable.isOne($0.key) }
      let facts = AlertJSON.facts(of: alert).map { ("ALERT_\($0.name.uppercased())", $0.value) }
      let outcome = ChildProcess.run(
        ["timeout", "--kill-after=5", "\(Self.commandSeconds)"] + setup.run,
        environment: own.merging(facts) { $1 }, input: AlertJSON.line(of: alert) + [0x0A])
      let program = setup.run.first ?? ""
      switch outcome.status {
      case 0: return nil
      case 124, 137: return "\(program) did not end within \(Self.commandSeconds) s"
      case 127: return "\(program) was not found"
      default: return "\(program) ended with status \(outcome.status)"
      }
    }
  }

  private static let commandSeconds = 30

  private func enabledSetups() throws(LibreError) -> [AlertSetup] {
    let file = try ConfigurationFile.load(environment: session.environment)
    return (file?.alertSetups() ?? []).compactMap { name, setup in
      do throws(LibreError) {
        let setup = try setup.get()
        return setup.isEnabled ? setup : nil
      } catch {
        report("alert \(name): \(error.message)", resolution: error.resolution)
        return nil
      }
    }
  }

  private func read(_ path: String) throws(LibreError) -> (AlertFacts, [String: AlertMemory]) {
    let store = try StoreFile.openForReading(path)
    let calibration = CalibrationOption().choice(session)
    let facts = try libre(store.alertFacts(calibration: calibration, clock: LocalTime.clock, now: LocalTime.now))
    return (facts, try libre(store.alertMemories()))
  }

  private func report(_ text: String, resolution: String) {
    guard failures.insert(text).inserted, !reported.contains(text) else { return }
    Session.notify((person.map { "\($0): " } ?? "") + text, level: .warning, resolution: resolution)
  }
}

extension AlertSetup.Way {
  fileprivate func remedy(_ rule: String) -> String {
    switch self {
    case .desktop:
      "run libre in a desktop session, or libre alerts remove \(rule), and add it with --tell journal or --run PROGRAM"
    case .journal: "libre alerts test \(rule)"
    case .sink(let name): "libre sink test \(name)"
    case .command: "run the program by hand, then libre alerts test \(rule)"
    }
  }
}

/// Tells alerts while a command runs: after each reading, and every half minute for what depends on time alone.
package final class AlertLoop: Sendable {
  private let requests: AsyncStream<Void>.Continuation
  private let clock: Task<Void, Never>
  private let work: Task<Void, Never>

  private static let seconds = 30.0

  /// `isEverybodys` is true if the command is about all people of this computer.
  package init(_ session: Session, isEverybodys: Bool) {
    let (stream, requests) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.requests = requests
    clock = Task {
      repeat { requests.yield() } while (try? await Task.sleep(for: .seconds(Self.seconds))) != nil
    }
    let thread = BlockingThread<CancellationError>(
      "libre.alerts", cancelled: CancellationError(), refusesWhileStuck: false)
    work = Task.detached(executorPreference: thread) {
      var tellers: [String: AlertTeller] = [:]
      var reported: LibreError?
      for await _ in stream {
        do throws(LibreError) {
          let sessions = isEverybodys ? try session.household() : [session]
          for theirs in sessions {
            let label = theirs.label(among: sessions)
            let teller = tellers[label ?? ""] ?? AlertTeller(theirs, person: label)
            tellers[label ?? ""] = teller
            _ = try await teller.round()
          }
          reported = nil
        } catch {
          // Reported once, not every half minute.
          if error != reported { Session.report(error) }
          reported = error
        }
      }
    }
  }

  /// Evaluates the rules as soon as possible.
  package func check() { requests.yield() }

  /// Waits for an alert that is being told, and for what the last reading brings.
  package func finish() async {
    clock.cancel()
    requests.yield()
    requests.finish()
    await work.value
  }
}

// SPDX-License-Identifier: Apache-2.0

extension AlertRule {
  /// Returns what is to be told now, and what the rule has to remember once it was told.
  ///
  /// Each value is looked at once, in the order of the sensor's minutes, so that a scan also brings what happened before
  /// it. While the rule is silent by the user's wish it looks at nothing, and does so afterwards.
  package func evaluation(
    of facts: AlertFacts, after earlier: AlertMemory?
  ) -> (alerts: [Alert], memory: AlertMemory) {
    var memory = earlier ?? AlertMemory(countsFrom: facts.now)
    if memory.countsFrom > facts.now { memory.countsFrom = facts.now }
    if let snooze = memory.snooze {
      guard snooze.isOver(at: facts.now) else { return ([], memory) }
      memory.snooze = nil
    }
    if let quiet, quiet.contains(facts.clock.place(facts.now).second / 60) { return ([], memory) }
    guard let (told, causes) = causes(facts, &memory) else { return ([], memory) }
    let isRepeatDue = isRepeatDue(&memory, facts.now)
    let alerts = causes.compactMap { cause -> Alert? in
      let wasTold = cause.key.map(memory.told.contains) ?? false
      if wasTold, !cause.mayRepeat || !isRepeatDue { return nil }
      return Alert(
        self, at: facts.now, cause.subject, minutesAgo: cause.minutesAgo, sensor: cause.sensor, isRepeated: wasTold)
    }
    memory.told = told
    if !alerts.isEmpty { memory.toldAt = facts.now }
    return (alerts, memory)
  }

  private struct Cause {
    /// The key under which it is remembered while it lasts; nil for what is over.
    var key: String?
    let subject: Alert.Subject
    var minutesAgo: Int?
    var sensor: SensorIdentity?
    var mayRepeat = false
  }

  private func isRepeatDue(_ memory: inout AlertMemory, _ now: Instant) -> Bool {
    guard let repeatMinutes, let toldAt = memory.toldAt else { return false }
    // The wait begins anew when the clock was set back, instead of lasting for years.
    if toldAt > now { memory.toldAt = now }
    return now >= toldAt.adding(minutes: repeatMinutes)
  }

  /// Returns the keys of all that lasts, and the causes for an alert; nil if nothing can be said, and nothing changes.
  private func causes(_ facts: AlertFacts, _ memory: inout AlertMemory) -> (told: Set<String>, causes: [Cause])? {
    switch kind {
    case .low, .high, .falling, .rising: return values(facts, &memory)
    case .scanDue: return single(scanDue(facts), memory)
    case .noValue: return single(noValue(facts), memory)
    case .sensorEnds: return single(sensorEnds(facts, memory), memory)
    case .bridgeBattery: return single(battery(facts, memory), memory)
    case .sinkFails:
      let causes = facts.sinks.compactMap { failure(of: $0, facts.now) }
      return (Set(causes.compactMap(\.key)), causes)
    }
  }

  private func single(_ cause: Cause?, _ memory: AlertMemory) -> (Set<String>, [Cause]) {
    // The last key stays until another cause comes: a clock that is set back brings the same cause again.
    guard let cause else { return (memory.told, []) }
    return cause.key.map { ([$0], [cause]) } ?? ([], [])
  }

  // MARK: Values

  private struct Episode {
    var extreme: AlertFacts.Value
    var isTold = false
  }

  private func values(_ facts: AlertFacts, _ memory: inout AlertMemory) -> (told: Set<String>, causes: [Cause])? {
    guard let wear = facts.measured, wear.minutes(since: 0, now: facts.now) != nil else { return nil }
    func minutesAgo(_ value: AlertFacts.Value) -> Int { wear.minutes(since: value.minute, now: facts.now) ?? 0 }
    let isRate = kind == .falling || kind == .rising
    let current = facts.current.flatMap { current in
      (isRate ? current.ratePerMinute : current.concentration.milligramsPerDecilitre).map {
        AlertFacts.Value(minute: current.minute.value, milligrams: $0)
      }
    }
    let seen = memory.seen?.wear == wear.alertName ? memory.seen?.minute : nil
    let past = facts.history.filter { value in
      let minutes = minutesAgo(value)
      return !isRate && (0...AlertFacts.reachMinutes).contains(minutes)
        && (seen != nil || facts.now.adding(minutes: -minutes) >= memory.countsFrom)
    }
    let points = (past + [current].compactMap(\.self)).filter { $0.minute > seen ?? 0 }
    var key = memory.told.first { $0.hasPrefix("\(wear.alertName)@") }
    var episode: Episode?
    if key != nil, let last = current ?? facts.history.last { episode = Episode(extreme: last, isTold: true) }
    var causes: [Cause] = []
    func add(_ episode: Episode, isOver: Bool) {
      let value = GlucoseConcentration(milligramsPerDecilitre: episode.extreme.milligrams)
      causes.append(
        Cause(
          subject: .past(value, isOver: isOver), minutesAgo: minutesAgo(episode.extreme), sensor: wear.identity))
    }
    for point in points {
      if excess(point) > 0 {
        if let worst = episode?.extreme, excess(worst) >= excess(point) { continue }
        if episode == nil { key = "\(wear.alertName)@\(point.minute)" }
        episode = Episode(extreme: point, isTold: episode?.isTold ?? false)
      } else if let ended = episode, excess(point) <= -hysteresis {
        if !ended.isTold, !isRate { add(ended, isOver: true) }
        (episode, key) = (nil, nil)
      }
    }
    if let newest = points.last {
      memory.seen = AlertMemory.Place(wear: wear.alertName, minute: newest.minute)
      memory.countsFrom = facts.now
    }
    guard let episode, let key else { return ([], causes) }
    if let glucose = facts.current, let current, excess(current) > 0,
      minutesAgo(current) <= ValueAge.staleMinutes
    {
      causes.append(
        Cause(
          key: key, subject: .present(glucose.concentration, ratePerMinute: glucose.ratePerMinute),
          minutesAgo: minutesAgo(current), sensor: wear.identity, mayRepeat: true))
    } else if !episode.isTold {
      // A present value that comes later is told by itself.
      if !isRate { add(episode, isOver: false) }
      return ([], causes)
    }
    return ([key], causes)
  }

  /// The amount by which a value is beyond the limit; negative on this side of it.
  private func excess(_ value: AlertFacts.Value) -> Double {
    switch kind {
    case .low: limit - value.milligrams
    case .falling: -value.milligrams - limit
    default: value.milligrams - limit
    }
  }

  // MARK: Time

  private func scanDue(_ facts: AlertFacts) -> Cause? {
    guard let wear = facts.worn, let read = wear.lastAgeMinutes, isMeasuring(wear, facts.now),
      let age = wear.minutes(since: 0, now: facts.now),
      let reach = SensorLayouts.layout(of: wear.identity.family).overwrittenAfterMinutes
    else { return nil }
    let step = MemoryMap.history.minutesPerSlot
    let loss = (facts.lastHistoryMinute ?? 0) + step + reach
    // A sensor that has ended overwrites nothing.
    if let life = wear.maxLifeMinutes, loss > life + SensorCondition.expiredMinutes { return nil }
    guard (1...Int(limit)).contains(loss - age) else { return nil }
    return Cause(
      key: "\(wear.alertName)@\(read)", subject: .scanDue(minutesLeft: loss - age), minutesAgo: age - read,
      sensor: wear.identity)
  }

  private func noValue(_ facts: AlertFacts) -> Cause? {
    guard let wear = facts.measured, wear == facts.worn, let newest = facts.newestMinute,
      isMeasuring(wear, facts.now), let minutes = wear.minutes(since: newest, now: facts.now),
      (Int(limit)...max(Int(limit), AlertFacts.reachMinutes)).contains(minutes)
    else { return nil }
    return Cause(
      key: "\(wear.alertName)@\(newest)", subject: .noValue, minutesAgo: minutes, sensor: wear.identity, mayRepeat: true
    )
  }

  /// Minutes before the end of a sensor at which it is announced.
  private static let announcements = [60, 1_440]

  private func sensorEnds(_ facts: AlertFacts, _ memory: AlertMemory) -> Cause? {
    guard let wear = facts.worn, let life = wear.maxLifeMinutes, isMeasuring(wear, facts.now),
      let age = wear.minutes(since: 0, now: facts.now), life > age
    else { return nil }
    // The last one that was told counts, also after the clock was set back.
    func key(_ minutes: Int) -> String { "\(wear.alertName)@\(minutes)" }
    guard
      let minutes = Self.announcements.first(where: { life - age <= $0 || memory.told.contains(key($0)) })
    else { return nil }
    return Cause(key: key(minutes), subject: .sensorEnds(minutesLeft: life - age), sensor: wear.identity)
  }

  /// True for a sensor that measures now by its own clock, if its last read did not show otherwise.
  private func isMeasuring(_ wear: WearFacts, _ now: Instant) -> Bool {
    guard [.warmingUp, .active, .expired].contains(wear.lastState), let age = wear.minutes(since: 0, now: now) else {
      return false
    }
    return age < (wear.maxLifeMinutes ?? SensorCondition.maximumLifeMinutes) + SensorCondition.expiredMinutes
  }

  // MARK: Machines

  private func failure(of sink: StoredSink, _ now: Instant) -> Cause? {
    if let stop = sink.stop {
      guard stop.origin == .receiver else { return nil }
      return Cause(
        key: "\(sink.name) stopped",
        subject: .sinkFails(name: sink.name, reason: stop.reason, queued: sink.queued), mayRepeat: true)
    }
    let since = sink.lastSuccessAt ?? sink.enrolledAt
    guard let reason = sink.lastError, sink.queued > 0, since.adding(minutes: Int(limit)) <= now else { return nil }
    return Cause(
      key: "\(sink.name) fails", subject: .sinkFails(name: sink.name, reason: reason, queued: sink.queued),
      mayRepeat: true)
  }

  private func battery(_ facts: AlertFacts, _ memory: AlertMemory) -> Cause? {
    guard let wear = facts.worn, let reader = wear.lastReader, let percent = reader.batteryPercent,
      let minutes = wear.minutes(since: wear.lastAgeMinutes ?? 0, now: facts.now), minutes <= AlertFacts.reachMinutes
    else { return nil }
    // A battery shows some percent more after a rest.
    let isLow = Double(percent) <= limit + (memory.told.isEmpty ? 0 : 10)
    return Cause(
      key: isLow ? reader.address : nil, subject: .battery(reader: reader.name, percent: percent), minutesAgo: minutes)
  }
}

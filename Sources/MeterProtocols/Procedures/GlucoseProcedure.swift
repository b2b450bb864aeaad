// SPDX-License-Identifier: Apache-2.0

/// Takes the records of a meter with the glucose service (Bluetooth SIG, Glucose Profile 1.0, 4.7).
///
/// It subscribes to measurements, contexts and answers, and asks for the number of records and for all of them; with a
/// bookmark for the bookmark's record and the later ones. If that record comes back changed or not at all, the meter was
/// reset or has overwritten it, and all records are asked for. A meter that cannot select records is asked for all.
package struct GlucoseProcedure: MeterProcedure {
  private let meter: String
  private let profile: MeterProfile
  private let hasContext: Bool
  private let known: GlucoseMeasurement?
  private var transfer: GlucoseTransfer
  private var state: State
  private var wasSubscribedAgain = false
  private var isTaken = false
  package private(set) var announcedCount: Int?
  package private(set) var wasReset = false

  private enum State {
    /// Pauses and subscriptions; the first step is next.
    case settingUp([MeterStep], then: RecordAccessRequest)
    /// A request is being written.
    case requesting(RecordAccessRequest)
    /// Records arrive, until the meter indicates the end.
    case collecting(RecordAccessRequest)
    /// The end has come, but not all contexts have.
    case awaitingContexts
    /// The end of an aborted request is awaited.
    case aborting
    case finished
    case failed(MeterError)
  }

  /// - Parameters:
  ///   - description: the meter as it describes itself; the catalogue's entry decides about pauses and quirks.
  ///   - characteristics: those that the meter has; contexts are optional.
  ///   - bookmark: where the last read ended; nil reads everything. It is ignored for a meter whose numbers do not last.
  package init(
    _ description: MeterDescription, characteristics: Set<MeterCharacteristic>, bookmark: MeterBookmark? = nil
  ) {
    meter = description.displayName
    profile = description.model?.profile ?? MeterProfile()
    hasContext = characteristics.contains(.glucoseContext)
    let quirks = profile.quirks
    known =
      quirks.contains(.movingNumbers)
      ? nil
      : bookmark.flatMap { bookmark in
        try? GlucoseMeasurement(bookmark.packet, readsMonth13AsJanuary: quirks.contains(.month13))
      }
    transfer = GlucoseTransfer(features: description.features, quirks: quirks)
    state = .finished
    state = .settingUp(setup, then: known.map { .report(from: $0.sequenceNumber) } ?? .countAll)
  }

  package var rejected: [RejectedPacket] { transfer.rejected }
  package var receivedCount: Int { transfer.count }

  package func next() -> MeterStep {
    switch state {
    case .settingUp(let steps, let request):
      steps.first ?? .perform(.records(request), within: MeterTiming.request)
    case .requesting(let request):
      .perform(.records(request), within: request == .abort ? MeterTiming.abort : MeterTiming.request)
    case .collecting: .await(within: MeterTiming.pause)
    case .awaitingContexts: .await(within: MeterTiming.lateContext)
    case .aborting: .await(within: MeterTiming.abort)
    case .finished: .finished
    case .failed(let error): .failed(error)
    }
  }

  package mutating func takeRecords() -> [MeterRecord] {
    guard !isTaken else { return [] }
    switch state {
    case .finished, .failed: break
    // Until the end, a context can still change what a record means.
    case .settingUp, .requesting, .collecting, .awaitingContexts, .aborting: return []
    }
    isTaken = true
    return transfer.records().map { .glucose($0) }
  }

  package mutating func feed(_ event: MeterEvent) {
    switch state {
    case .finished, .failed: return
    case .settingUp, .requesting, .collecting, .awaitingContexts, .aborting: break
    }
    switch event {
    case .value(let characteristic, let bytes): keep(bytes, of: characteristic)
    case .accepted: accept()
    case .refused(let refusal): refuse(refusal)
    case .quiet: timeOut()
    case .disconnected:
      // Many meters end the link as soon as they are done.
      if case .awaitingContexts = state {
        state = .finished
      } else {
        fail(.disconnected(meter: meter, received: count))
      }
    case .cancelled: cancel()
    }
  }

  private var count: Int { transfer.count }
  private mutating func fail(_ error: MeterError) { state = .failed(error) }

  // MARK: Setting up

  private var setup: [MeterStep] {
    let subscriptions: [MeterCharacteristic] =
      [.glucoseMeasurement] + (hasContext ? [.glucoseContext] : []) + [.recordAccess]
    return MeterStep.rest(profile.restBeforeSubscribing)
      + subscriptions.flatMap { characteristic in
        [.perform(.subscribe(characteristic), within: MeterTiming.request)]
          + MeterStep.rest(profile.restAfterSubscribing)
      } + MeterStep.rest(profile.restBeforeRequest)
  }

  /// Continues behind the first step of the set-up.
  private mutating func advance() {
    guard case .settingUp(let steps, let request) = state else { return }
    state = steps.count > 1 ? .settingUp(Array(steps.dropFirst()), then: request) : .requesting(request)
  }

  // MARK: Events

  private mutating func accept() {
    switch state {
    case .settingUp(let steps, _): if case .perform = steps.first { advance() }
    case .requesting(.abort): state = .aborting
    case .requesting(let request):
      if request != .countAll { transfer.begin() }
      state = .collecting(request)
    case .collecting, .awaitingContexts, .aborting, .finished, .failed: break
    }
  }

  private mutating func timeOut() {
    switch state {
    case .settingUp(let steps, _):
      if case .perform = steps.first { fail(.silent(meter: meter, received: count)) } else { advance() }
    case .requesting(.abort), .aborting: fail(.cancelled(meter: meter, received: count))
    case .requesting, .collecting: fail(.silent(meter: meter, received: count))
    case .awaitingContexts: state = .finished
    case .finished, .failed: break
    }
  }

  private mutating func refuse(_ refusal: MeterRefusal) {
    switch state {
    case .settingUp(let steps, _):
      guard case .perform(let request, _) = steps.first else { return }
      // Contexts are notes; only a missing pairing concerns the records, too.
      if request == .subscribe(.glucoseContext), refusal != .notPaired {
        advance()
      } else {
        fail(MeterError(meter, request, refusal))
      }
    case .requesting(.abort), .aborting: fail(.cancelled(meter: meter, received: count))
    case .requesting(let request):
      if refusal == .notSubscribed, !wasSubscribedAgain {
        wasSubscribedAgain = true
        state = .settingUp(setup, then: request)
      } else if request == .countAll, Self.isAboutCounting(refusal) {
        // Nothing depends on the number of records.
        state = .requesting(.reportAll)
      } else {
        fail(MeterError(meter, .records(request), refusal))
      }
    case .collecting, .awaitingContexts, .finished, .failed: break
    }
  }

  /// True for a refusal that may concern only the count of records, which not every meter knows.
  private static func isAboutCounting(_ refusal: MeterRefusal) -> Bool {
    switch refusal {
    case .notPermitted, .other: true
    case .absent, .notPaired, .busy, .notSubscribed: false
    }
  }

  /// Aborts a transfer that is under way; the meter confirms this, possibly after records that it had queued.
  private mutating func cancel() {
    switch state {
    case .collecting: state = .requesting(.abort)
    case .settingUp, .requesting, .awaitingContexts, .aborting: fail(.cancelled(meter: meter, received: count))
    case .finished, .failed: break
    }
  }

  private mutating func keep(_ bytes: [UInt8], of characteristic: MeterCharacteristic) {
    switch characteristic {
    case .glucoseMeasurement: transfer.keepMeasurement(bytes)
    case .glucoseContext: transfer.keepContext(bytes)
    case .recordAccess: answer(bytes)
    case .glucoseFeature, .dateTime, .bloodPressureMeasurement, .bloodPressureFeature, .currentTime, .maker,
      .modelNumber,
      .serialNumber, .firmware, .battery, .oneTouchCommand, .oneTouchAnswer:
      return
    }
    if transfer.packetCount > MeterTiming.maximumPackets { fail(.tooManyPackets(meter: meter)) }
    if case .awaitingContexts = state, !transfer.awaitsContext { state = .finished }
  }

  // MARK: The meter's answers

  private mutating func answer(_ bytes: [UInt8]) {
    let request: RecordAccessRequest
    switch state {
    case .requesting(let asked), .collecting(let asked): request = asked
    case .aborting: request = .abort
    case .settingUp, .awaitingContexts, .finished, .failed: return
    }
    do throws(PacketError) {
      switch try RecordAccessResponse(bytes) {
      case .count(let number):
        guard request == .countAll else { return transfer.countPacket() }
        announcedCount = Int(number)
        state = .requesting(.reportAll)
      case .ended(let opCode, let code):
        guard opCode == request.opCode else { return transfer.countPacket() }
        end(request, code)
      }
    } catch {
      fail(.malformedAnswer(meter: meter, error))
    }
  }

  private mutating func end(_ request: RecordAccessRequest, _ code: RecordAccessCode) {
    switch (request, code) {
    case (.abort, _): fail(.cancelled(meter: meter, received: count))
    case (.countAll, _): state = .requesting(.reportAll)
    case (_, .procedureNotCompleted): fail(.brokenOff(meter: meter, received: count))
    case (.report, .success), (.report, .noRecordsFound):
      if let known, transfer.contains(known) { complete() } else { askForAll() }
    case (.report, .operatorNotSupported), (.report, .invalidOperator), (.report, .invalidOperand),
      (.report, .operandNotSupported), (.report, .opCodeNotSupported):
      askForAll()
    case (.reportAll, .success), (.reportAll, .noRecordsFound): complete()
    case (_, _): fail(.recordsRefused(meter: meter, code))
    }
  }

  private mutating func askForAll() { state = .requesting(.reportAll) }

  private mutating func complete() {
    wasReset = known.map { transfer.contradicts($0) } ?? false
    transfer.complete()
    state = hasContext && transfer.awaitsContext ? .awaitingContexts : .finished
  }
}

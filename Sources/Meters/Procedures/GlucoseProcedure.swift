// SPDX-License-Identifier: Apache-2.0

/// Takes the records of a meter with the glucose service (Bluetooth SIG, Glucose Profile 1.0, 4.7).
///
/// It subscribes to measurements, contexts and answers, and asks for the number of records and for all of them; with a
/// bookmark for the bookmark's record and the later ones. If that record comes back changed or not at all, the meter was
/// reset or has overwritten it, and all records are asked for. A meter that cannot select records is asked for all.
struct GlucoseProcedure: MeterProcedure {
  private let meter: String
  private let profile: MeterProfile
  private let hasContext: Bool
  private let known: GlucoseMeasurement?
  private var transfer: GlucoseTransfer
  /// Pauses and subscriptions that come before the request.
  private var setup: [MeterStep] = []
  private var state: State
  private var wasSubscribedAgain = false
  private var isTaken = false
  private(set) var announcedCount: Int?
  private(set) var wasReset = false

  private enum State {
    /// A request is being written, once the set-up is complete.
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

  /// Everything is read without a `bookmark`. It is ignored for a meter whose numbers do not last.
  init(
    _ description: MeterDescription, characteristics: Set<MeterCharacteristic>, bookmark: MeterBookmark? = nil
  ) {
    meter = description.displayName
    profile = description.model?.profile ?? MeterProfile()
    hasContext = characteristics.contains(.glucoseContext)
    let quirks = profile.quirks
    known = bookmark.flatMap { bookmark in
      if quirks.contains(.movingNumbers) { return nil }
      return try? GlucoseMeasurement(bookmark.packet, readsMonth13AsJanuary: quirks.contains(.month13))
    }
    transfer = GlucoseTransfer(features: description.features, quirks: quirks)
    state = .requesting(known.map { .report(from: $0.sequenceNumber) } ?? .countAll)
    setup = subscriptions
  }

  var rejected: [RejectedPacket] { transfer.rejected }
  var receivedCount: Int { transfer.count }

  func next() -> MeterStep {
    if let step = setup.first, !isEnded { return step }
    return switch state {
    case .requesting(let request):
      .perform(.records(request), within: request == .abort ? MeterTiming.abort : MeterTiming.request)
    case .collecting: .await(within: MeterTiming.pause)
    case .awaitingContexts: .await(within: MeterTiming.lateContext)
    case .aborting: .await(within: MeterTiming.abort)
    case .finished: .finished
    case .failed(let error): .failed(error)
    }
  }

  mutating func takeRecords() -> [MeterRecord] {
    // Until the end, a context can still change what a record means.
    guard isEnded, !isTaken else { return [] }
    isTaken = true
    return transfer.records().map { .glucose($0) }
  }

  mutating func feed(_ event: MeterEvent) {
    guard !isEnded else { return }
    switch event {
    case .value(let characteristic, let bytes): keep(bytes, of: characteristic)
    case .accepted: accept()
    case .refused(let refusal): refuse(refusal)
    case .quiet: timeOut()
    case .disconnected:
      // Many meters end the link as soon as they are done.
      if case .awaitingContexts = state { return state = .finished }
      fail(.disconnected(meter: meter, received: receivedCount))
    case .cancelled: cancel()
    }
  }

  private var isEnded: Bool {
    switch state {
    case .finished, .failed: true
    case .requesting, .collecting, .awaitingContexts, .aborting: false
    }
  }

  private mutating func fail(_ error: MeterError) { state = .failed(error) }

  private var subscriptions: [MeterStep] {
    let characteristics: [MeterCharacteristic] =
      [.glucoseMeasurement] + (hasContext ? [.glucoseContext] : []) + [.recordAccess]
    return [MeterStep].rest(profile.restBeforeSubscribing)
      + characteristics.flatMap { characteristic in
        [.perform(.subscribe(characteristic), within: MeterTiming.request)]
          + [MeterStep].rest(profile.restAfterSubscribing)
      } + [MeterStep].rest(profile.restBeforeRequest)
  }

  // MARK: Events

  private mutating func accept() {
    guard setup.isEmpty else { return setup.passRequest() }
    switch state {
    case .requesting(.abort): state = .aborting
    case .requesting(let request):
      if request != .countAll { transfer.begin() }
      state = .collecting(request)
    case .collecting, .awaitingContexts, .aborting, .finished, .failed: break
    }
  }

  private mutating func timeOut() {
    if setup.passRest() { return }
    switch state {
    case .requesting(.abort), .aborting: fail(.cancelled(meter: meter, received: receivedCount))
    case .requesting, .collecting: fail(.silent(meter: meter, received: receivedCount))
    case .awaitingContexts: state = .finished
    case .finished, .failed: break
    }
  }

  private mutating func refuse(_ refusal: MeterRefusal) {
    if let step = setup.first {
      guard case .perform(let request, _) = step else { return }
      // Contexts are notes; only a missing pairing concerns the records, too.
      guard request == .subscribe(.glucoseContext), refusal != .notPaired, refusal != .passkeyNeeded else {
        return fail(MeterError(meter, request, refusal))
      }
      return setup.passRequest()
    }
    switch state {
    case .requesting(.abort), .aborting: fail(.cancelled(meter: meter, received: receivedCount))
    case .requesting(let request):
      if refusal == .notSubscribed, !wasSubscribedAgain {
        wasSubscribedAgain = true
        setup = subscriptions
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
    case .absent, .notPaired, .passkeyNeeded, .busy, .notSubscribed: false
    }
  }

  /// Aborts a transfer that is under way; the meter confirms this, possibly after records that it had queued.
  private mutating func cancel() {
    if case .collecting = state { return state = .requesting(.abort) }
    fail(.cancelled(meter: meter, received: receivedCount))
  }

  private mutating func keep(_ bytes: [UInt8], of characteristic: MeterCharacteristic) {
    switch characteristic {
    case .glucoseMeasurement: transfer.keepMeasurement(bytes)
    case .glucoseContext: transfer.keepContext(bytes)
    case .recordAccess: answer(bytes)
    case .glucoseFeature, .dateTime, .bloodPressureMeasurement, .bloodPressureFeature, .currentTime, .maker,
      .modelNumber, .serialNumber, .firmware, .battery, .oneTouchCommand, .oneTouchAnswer, .bridgeCommand,
      .bridgeAnswer:
      return
    }
    if transfer.packetCount > MeterTiming.maximumPackets { fail(.tooManyPackets(meter: meter)) }
    if case .awaitingContexts = state, !transfer.awaitsContext { state = .finished }
  }

  // MARK: The meter's answers

  private mutating func answer(_ bytes: [UInt8]) {
    guard setup.isEmpty else { return }
    let request: RecordAccessRequest
    switch state {
    case .requesting(let asked), .collecting(let asked): request = asked
    case .aborting: request = .abort
    case .awaitingContexts, .finished, .failed: return
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
    case (.abort, _): fail(.cancelled(meter: meter, received: receivedCount))
    case (.countAll, _): state = .requesting(.reportAll)
    case (_, .procedureNotCompleted): fail(.brokenOff(meter: meter, received: receivedCount))
    case (.report, .success), (.report, .noRecordsFound):
      if let known, transfer.contains(known) { complete() } else { state = .requesting(.reportAll) }
    case (.report, .operatorNotSupported), (.report, .invalidOperator), (.report, .invalidOperand),
      (.report, .operandNotSupported), (.report, .opCodeNotSupported):
      state = .requesting(.reportAll)
    case (.reportAll, .success), (.reportAll, .noRecordsFound): complete()
    case (_, _): fail(.recordsRefused(meter: meter, code))
    }
  }

  private mutating func complete() {
    wasReset = known.map { transfer.contradicts($0) } ?? false
    transfer.complete()
    state = hasContext && transfer.awaitsContext ? .awaitingContexts : .finished
  }
}

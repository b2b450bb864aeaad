// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Takes the records of a OneTouch meter by LifeScan's own protocol: number of the newest record, number of records, then
/// each record, oldest first. With a bookmark it begins with the bookmark's record, and if that has changed, again with
/// the oldest.
///
/// Each command is confirmed by the meter, answered, and the answer is confirmed. Sources: NightscoutFoundation/xDrip,
/// tidepool-org/uploader. Untested on hardware.
struct OneTouchProcedure: MeterProcedure {
  private let meter: String
  private let known: MeterBookmark?
  private var setup: [MeterStep] =
    [.perform(.subscribe(.oneTouchAnswer), within: MeterTiming.request)] + [MeterStep].rest(MeterTiming.oneTouchRest)
  private var command = OneTouchRequest.time
  private var phase = Phase.writing
  private var outcome: MeterStep?
  private var newest: UInt16 = 0
  private var oldest: UInt16 = 0
  private var records: [GlucoseRecord] = []
  private var isTaken = false
  private var packetCount = 0
  private var lastAnswer: [UInt8] = []
  private(set) var rejected: [RejectedPacket] = []
  private(set) var announcedCount: Int?
  private(set) var wasReset = false
  private(set) var clock: CivilTime?

  private enum Phase {
    case writing
    case awaitingAnswer
    /// The answer is being confirmed; this is next, or the end.
    case confirming(next: OneTouchRequest?)
  }

  init(_ description: MeterDescription, bookmark: MeterBookmark? = nil) {
    meter = description.displayName
    known = bookmark
  }

  var receivedCount: Int { records.count }

  func next() -> MeterStep {
    if let step = outcome ?? setup.first { return step }
    return switch phase {
    case .writing: .perform(.oneTouch(command), within: MeterTiming.request)
    case .awaitingAnswer: .await(within: MeterTiming.oneTouchAnswer)
    case .confirming: .perform(.oneTouch(.acknowledgement), within: MeterTiming.request)
    }
  }

  mutating func takeRecords() -> [MeterRecord] {
    guard outcome != nil, !isTaken else { return [] }
    isTaken = true
    return records.map { .glucose($0) }
  }

  mutating func feed(_ event: MeterEvent) {
    guard outcome == nil else { return }
    switch event {
    case .value(let characteristic, let bytes):
      packetCount += 1
      if packetCount > MeterTiming.maximumPackets * 2 {
        outcome = .failed(.tooManyPackets(meter: meter))
      } else if characteristic == .oneTouchAnswer, setup.isEmpty {
        take(bytes)
      }
    case .accepted: accept()
    case .refused(let refusal):
      guard case .perform(let request, _) = next() else { return }
      outcome = .failed(MeterError(meter, request, refusal))
    case .quiet: if !setup.passRest() { outcome = .failed(.silent(meter: meter, received: records.count)) }
    case .disconnected: outcome = .failed(.disconnected(meter: meter, received: records.count))
    case .cancelled: outcome = .failed(.cancelled(meter: meter, received: records.count))
    }
  }

  private mutating func accept() {
    guard setup.isEmpty else { return setup.passRequest() }
    switch phase {
    case .writing: phase = .awaitingAnswer
    case .awaitingAnswer: break
    case .confirming(let next?): (command, phase) = (next, .writing)
    case .confirming(nil): outcome = .finished
    }
  }

  // MARK: Answers

  private mutating func take(_ bytes: [UInt8]) {
    // A repeated answer must not be taken for the answer to the next command. Two records differ in their times.
    guard case .awaitingAnswer = phase, bytes != lastAnswer else { return }
    do throws(PacketError) {
      switch try OneTouchAnswer(bytes) {
      case .acknowledgement: return
      case .content(let content): phase = .confirming(next: try command(after: content))
      case .refused(let refusal): try refuse(refusal, bytes)
      }
      lastAnswer = bytes
    } catch {
      if case .record(let number) = command {
        rejected.append(RejectedPacket(bytes: bytes, reason: error))
        phase = .confirming(next: recordCommand(after: number))
      } else {
        outcome = .failed(.malformedAnswer(meter: meter, error))
      }
    }
  }

  /// A single record that the meter does not have is left out; everything else ends the transfer.
  private mutating func refuse(_ refusal: OneTouchAnswer.Refusal, _ bytes: [UInt8]) throws(PacketError) {
    if case .record = command, refusal != .notAllowed { throw .unexpectedAnswer(bytes) }
    outcome = .failed(.commandRefused(meter: meter, refusal))
  }

  /// Notes the content of an answer; returns the next command, or nil if all records are known.
  private mutating func command(after content: [UInt8]) throws(PacketError) -> OneTouchRequest? {
    var fields = PacketFields(content)
    switch command {
    case .time:
      clock = OneTouchRecord.time(try fields.long())
      return .newestNumber
    case .newestNumber:
      guard let number = UInt16(exactly: try fields.long()) else { throw .unexpectedAnswer(content) }
      newest = number
      return .recordCount
    case .recordCount:
      let count = try fields.short()
      announcedCount = Int(count)
      guard count > 0, newest > 0 else { return nil }
      oldest = UInt16(max(Int(newest) - Int(count) + 1, 1))
      guard let number = known?.sequenceNumber else { return .record(oldest) }
      wasReset = number > Int(newest)
      return .record(wasReset ? oldest : UInt16(max(number, Int(oldest))))
    case .record(let number):
      let record = GlucoseRecord(try OneTouchRecord(content), number: number, packet: content)
      if let known, !wasReset, known.sequenceNumber == Int(number), known.packet != content {
        wasReset = true
        records = []
        return .record(oldest)
      }
      records.append(record)
      return recordCommand(after: number)
    case .acknowledgement: return nil
    }
  }

  private func recordCommand(after number: UInt16) -> OneTouchRequest? {
    number < newest ? .record(number + 1) : nil
  }
}

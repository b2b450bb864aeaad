// SPDX-License-Identifier: Apache-2.0

/// Drives the procedures over a link: reads what the meter says of itself, chooses the procedure, hands over every record
/// to be kept before the link ends, and ends the link in an orderly manner.
package enum MeterTransfer {
  /// Takes the records of a connected meter.
  ///
  /// A failure of the meter is not thrown: the reading has it, beside the records that arrived. The link is ended in every
  /// case; if the task is cancelled, the transfer is aborted before.
  ///
  /// - Parameters:
  ///   - link: the connection, which is ended.
  ///   - bookmark: returns where the last read of this meter ended; nil to read everything. It is called once, after the
  ///     meter's serial number was read.
  ///   - keep: stores records. The link is still up, and for many cuffs this is the only copy. It is called for each
  ///     measurement of a cuff, and once for all records of a glucose meter, also after a failure.
  package static func run<Failure: Error>(
    over link: any MeterLink,
    bookmark: @Sendable (MeterDescription) async -> MeterBookmark? = { _ in nil },
    keep: @Sendable (MeterDescription, [MeterRecord]) async throws(Failure) -> Void
  ) async throws(Failure) -> MeterReading {
    do throws(Failure) {
      let reading = try await take(over: link, bookmark: bookmark, keep: keep)
      await end(link)
      return reading
    } catch {
      await end(link)
      throw error
    }
  }

  private static func take<Failure: Error>(
    over link: any MeterLink, bookmark: @Sendable (MeterDescription) async -> MeterBookmark?,
    keep: @Sendable (MeterDescription, [MeterRecord]) async throws(Failure) -> Void
  ) async throws(Failure) -> MeterReading {
    var introduction = DescriptionProcedure(link.identity, characteristics: link.characteristics)
    while let event = await event(after: introduction.next(), over: link) { introduction.feed(event) }
    var meter = introduction.description
    if case .failed(let failure) = introduction.next() { return MeterReading(meter: meter, failure: failure) }
    guard !meter.services.isEmpty else { return MeterReading(meter: meter, failure: .notAMeter(meter.displayName)) }
    let known = await bookmark(meter)
    var reading = MeterReading(meter: meter)
    for service in meter.services where reading.failure == nil {
      var procedure = procedure(service, meter, link.characteristics, bookmark: known)
      while let event = await event(after: procedure.next(), over: link) {
        procedure.feed(event)
        if event == .cancelled { procedure = await windDown(procedure, over: link) }
        let ready = procedure.takeRecords()
        if !ready.isEmpty {
          reading.records += ready
          try await keep(meter, ready)
        }
      }
      meter.clock = procedure.clock ?? meter.clock
      reading.meter = meter
      reading.rejected += procedure.rejected
      reading.announcedCount = reading.announcedCount ?? procedure.announcedCount
      reading.wasReset = reading.wasReset || procedure.wasReset
      if case .failed(let error) = procedure.next() { reading.failure = error }
    }
    return reading
  }

  private static func procedure(
    _ service: MeterService, _ meter: MeterDescription, _ characteristics: Set<MeterCharacteristic>,
    bookmark: MeterBookmark?
  ) -> any MeterProcedure {
    switch service {
    case .oneTouch: OneTouchProcedure(meter, bookmark: bookmark)
    case .bloodPressure: CuffProcedure(meter)
    case .glucose, .bridge, .deviceInformation, .battery, .currentTime:
      GlucoseProcedure(meter, characteristics: characteristics, bookmark: bookmark)
    }
  }

  /// Performs a step; nil at the end of the procedure.
  private static func event(after step: MeterStep, over link: any MeterLink) async -> MeterEvent? {
    switch step {
    case .perform(let request, let timeout): await link.perform(request, within: timeout)
    case .await(let timeout): await link.nextEvent(within: timeout)
    case .finished, .failed: nil
    }
  }

  /// Performs the last steps of a cancelled procedure, in a task that is not cancelled: the link would refuse them.
  private static func windDown(_ procedure: any MeterProcedure, over link: any MeterLink) async -> any MeterProcedure {
    await Task {
      var procedure = procedure
      while let event = await event(after: procedure.next(), over: link) { procedure.feed(event) }
      return procedure
    }.value
  }

  private static func end(_ link: any MeterLink) async { await Task { await link.disconnect() }.value }
}

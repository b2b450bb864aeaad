// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The result of one transfer from a meter.
package struct MeterReading: Hashable, Sendable {
  package internal(set) var meter: MeterDescription
  /// Oldest first by the meter's numbers; those known from earlier reads are among them.
  package internal(set) var records: [MeterRecord] = []
  package internal(set) var rejected: [RejectedPacket] = []
  /// nil if the meter was not asked or did not say.
  package internal(set) var announcedCount: Int?
  /// True if the meter's numbers do not continue those of the bookmark: records that share a number with a stored one are
  /// other records.
  package internal(set) var wasReset = false
  /// nil if the transfer is complete. The records are valid in either case.
  package internal(set) var failure: MeterError?

  /// The record from which the next read of this meter continues: the one with the highest number, after a failure too,
  /// because no record below it is missing. nil without records, and for meters whose numbers do not last.
  package var bookmark: MeterBookmark? {
    records.compactMap { $0.glucose?.bookmark }.max { $0.sequenceNumber < $1.sequenceNumber }
  }
}

package enum MeterRecord: Hashable, Sendable {
  case glucose(GlucoseRecord)
  case bloodPressure(BloodPressureRecord)

  package var glucose: GlucoseRecord? {
    if case .glucose(let record) = self { record } else { nil }
  }

  package var bloodPressure: BloodPressureRecord? {
    if case .bloodPressure(let record) = self { record } else { nil }
  }
}

/// A meter by everything that it says of itself.
package struct MeterDescription: Hashable, Sendable {
  package let identity: MeterIdentity
  /// The services by which meters are recognised, as far as it has them.
  package let services: [MeterService]
  package var maker: String?
  package var modelNumber: String?
  /// Sent or, for Roche, taken from the advertised name; nil if unknown or a placeholder.
  package var serialNumber: String?
  package var firmware: String?
  /// 0…100.
  package var batteryPercent: Int?
  var features: GlucoseFeatures?
  /// Time that the meter's clock showed during the transfer; nil if it cannot be read. No time of a record depends on it.
  package var clock: CivilTime?

  /// The catalogue's entry; nil for a meter that is not in it, which is read by the specification.
  package var model: MeterModel? {
    MeterCatalogue.model(name: identity.name, maker: maker, modelNumber: modelNumber, services: services)
  }

  /// The name by which messages call the meter: the advertised one, else the address.
  package var displayName: String { identity.name ?? identity.address }
}

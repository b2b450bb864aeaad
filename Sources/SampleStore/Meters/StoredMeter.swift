// SPDX-License-Identifier: Apache-2.0
package import CGMModel

package struct StoredMeter: Hashable, Sendable {
  package struct ID: Hashable, Sendable { let row: Int }

  /// The record from which the next reading continues. If the meter answers with another record for this number, or with
  /// none, its numbers were set back.
  package struct Probe: Hashable, Sendable {
    package let sequence: Int
    package let packet: [UInt8]

    package init(sequence: Int, packet: [UInt8]) { (self.sequence, self.packet) = (sequence, packet) }
  }

  package let id: ID
  package let facts: MeterFacts
  /// nil if the meter has no sequence numbers, or nothing was read yet.
  package let probe: Probe?
  package let lastReadAt: Instant?
  package let fingerSticks: Int
  package let bloodPressures: Int
  package let leftAside: Int
  /// True after `forget`: its measurements are still in the store, and its next reading begins with its first record.
  package let isForgotten: Bool
}

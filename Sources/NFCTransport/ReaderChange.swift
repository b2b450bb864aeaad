// SPDX-License-Identifier: Apache-2.0

/// A change of the readers that are plugged in, or of what is on one of them.
package struct ReaderChange: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case plugged
    case gone
    /// An ISO 15693 tag, the kind that sensors are, came into the field.
    case sensorOn = "sensor_on"
    case sensorOff = "sensor_off"
  }

  package let kind: Kind
  package let reader: FoundReader

  package init(_ kind: Kind, _ reader: FoundReader) {
    self.kind = kind
    self.reader = reader
  }
}

/// The readers of one backend, from one list of them to the next.
package struct ReaderRoll: Sendable {
  private var readers: [FoundReader] = []

  package init() {}

  /// Changes since the last list: readers that are gone, then readers that came, each with its tag.
  ///
  /// While a program uses a reader, PC/SC does not say what is on it: that counts as unchanged.
  package mutating func changes(to list: [FoundReader]) -> [ReaderChange] {
    let before = readers
    readers = list.map { reader in
      guard reader.presence == .busy, let known = before.first(where: { $0.address == reader.address }) else {
        return reader
      }
      return FoundReader(address: reader.address, name: reader.name, presence: known.presence)
    }
    let gone = before.filter { known in !readers.contains { $0.address == known.address } }
    return gone.flatMap { Self.tag(from: $0, to: nil) + [ReaderChange(.gone, $0)] }
      + readers.flatMap { reader in
        let known = before.first { $0.address == reader.address }
        return (known == nil ? [ReaderChange(.plugged, reader)] : []) + Self.tag(from: known, to: reader)
      }
  }

  private static func tag(from old: FoundReader?, to new: FoundReader?) -> [ReaderChange] {
    switch (old?.presence == .iso15693, new?.presence == .iso15693) {
    case (true, false): (new ?? old).map { [ReaderChange(.sensorOff, $0)] } ?? []
    case (false, true): new.map { [ReaderChange(.sensorOn, $0)] } ?? []
    case (true, true), (false, false): []
    }
  }
}

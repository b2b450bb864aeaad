// SPDX-License-Identifier: Apache-2.0

/// The people whose sensors a command may meet, each with a store, and the rule whose a sensor is.
///
/// | a sensor | goes to |
/// |---|---|
/// | that one of them has | that person, whoever is named |
/// | that is unknown, with a person named | that person |
/// | that was started before the last reading of another sensor that was active then, and so was worn at the same time | no store: it is another person's, or a second one |
/// | that is unknown, while it may also be another person's | no store: it is not guessed |
/// | that is unknown otherwise | the current person, who changed their sensor |
package struct Household: Sendable {
  package struct Member: Hashable, Sendable {
    package let person: Person
    package let path: String

    package init(_ person: Person, path: String) { (self.person, self.path) = (person, path) }
  }

  /// All of them; the first one is the current person.
  package let members: [Member]
  /// True if the user has said that an unknown sensor is the first member's.
  private let isNamed: Bool
  private let source: UnclaimedSensor.Source

  package init(_ members: [Member], isNamed: Bool, source: UnclaimedSensor.Source) {
    (self.members, self.isNamed, self.source) = (members, isNamed, source)
  }

  /// Returns the position of the member who owns the sensor of a reading. An unknown owner, or another than named,
  /// throws.
  package func owner(of reading: SensorReading) throws(LibreError) -> Int {
    // Opened only for this, and no further than to the owner of a known sensor.
    try owner(of: reading) { index throws(LibreError) in try StoreFile.openIfPresent(members[index].path) }
  }

  func owner(
    of reading: SensorReading, in open: (_ index: Int) throws(LibreError) -> SensorStore?
  ) throws(LibreError) -> Int {
    var stores: [SensorStore?] = []
    for (index, member) in members.enumerated() {
      let store = try open(index)
      if let store, try libre(store.knows(reading.sensor)) {
        if isNamed, index > 0 { throw .person(.belongsTo(member.person, named: members[0].person)) }
        return index
      }
      stores.append(store)
    }
    if isNamed { return 0 }
    func unclaimed(by others: [Member]) -> UnclaimedSensor {
      UnclaimedSensor(person: members[0].person, others: others.map(\.person), source: source)
    }
    // Those who do not wear another sensor meanwhile.
    var possible: [Member] = []
    for (index, store) in stores.enumerated() {
      guard let meanwhile = try libre(store?.sensorWornMeanwhile(reading)) else {
        possible.append(members[index])
        continue
      }
      guard index == 0 else { continue }
      throw .person(
        .wornMeanwhile(
          unclaimed(by: Array(members.dropFirst())), startedAt: meanwhile.startedAt, lastReadAt: meanwhile.lastReadAt))
    }
    if possible.count > 1 { throw .person(.unclaimed(unclaimed(by: Array(possible.dropFirst())))) }
    return 0
  }
}

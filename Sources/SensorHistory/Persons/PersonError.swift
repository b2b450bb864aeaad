// SPDX-License-Identifier: Apache-2.0

/// A person that cannot be found, added or removed; or a sensor of which it is unknown whose it is.
package enum PersonError: ExplainedError {
  case noSuchPerson(String, known: [String])
  case badName(String)
  case exists(String)
  case isUser
  /// Sinks of a person who is to be removed: receivers keep what they got.
  case hasSinks(String, [String])
  case hasValues(String, sensors: Int, samples: Int)
  /// An unknown sensor was worn at the same time as one of the first person. The others may have it.
  case wornMeanwhile(UnclaimedSensor, startedAt: Instant, lastReadAt: Instant)
  /// An unknown sensor may be the first person's, or that of some others.
  case unclaimed(UnclaimedSensor)
  case belongsTo(Person, named: Person)

  package var explanation: (code: String, message: String) {
    switch self {
    case .noSuchPerson(let name, let known):
      ("no_such_person", "unknown person \(name)\(known.isEmpty ? "" : "; known: \(known.joined(separator: ", "))")")
    case .badName(let name): ("bad_person_name", "invalid name \(name) for a person")
    case .exists(let name): ("person_exists", "there is a person \(name) already")
    case .isUser: ("person_is_user", "me stands for you, whose values are libre's own store")
    case .hasSinks(let name, let sinks): ("person_has_sinks", "\(name) has the sinks \(sinks.joined(separator: ", "))")
    case .hasValues(let name, let sensors, let samples):
      ("person_has_values", "\(name) has \(samples) samples of \(sensors) sensors, which cannot be restored")
    case .wornMeanwhile(let sensor, let startedAt, let lastReadAt):
      (
        "another_persons_sensor",
        "this sensor is not stored. It was started \(startedAt.rfc3339), and another one, which is \(sensor.person.possessive), was active when it was last read, \(lastReadAt.rfc3339): both were worn at the same time, so this one may be somebody else's"
      )
    case .unclaimed(let sensor):
      (
        "another_persons_sensor",
        "this sensor is not stored. It has not been read here before, and it may be \(([sensor.person] + sensor.others).map(\.possessive).joined(separator: " or "))"
      )
    case .belongsTo(let owner, let named):
      ("another_persons_sensor", "this sensor is not stored for \(named.word): it is \(owner.possessive)")
    }
  }
}

/// A sensor of which it is unknown whose it is. It has no name here, because messages end up in journals.
package struct UnclaimedSensor: Hashable, Sendable {
  package enum Source: String, Hashable, Sendable {
    case read
    case importing = "import"
  }

  package let person: Person
  /// The others whose it may be.
  package let others: [Person]
  package let source: Source
}

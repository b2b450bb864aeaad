// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A person that cannot be found, added or removed; or a sensor of which it is unknown whose it is.
public enum PersonError: ExplainedError {
  /// The name is unknown.
  case noSuchPerson(String, known: [String])
  case badName(String)
  case exists(String)
  /// The user has no entry of their own.
  case isUser
  /// Sinks of a person who is to be removed: receivers keep what they got.
  case hasSinks(String, [String])
  /// A person who is to be removed has values.
  case hasValues(String, sensors: Int, samples: Int)
  /// An unknown sensor was worn at the same time as one of the first person. The others may have it.
  case wornMeanwhile(UnclaimedSensor, startedAt: Instant, lastReadAt: Instant)
  /// An unknown sensor may be the first person's, or that of some others.
  case unclaimed(UnclaimedSensor)
  /// The sensor is known as that of another person than the named one.
  case belongsTo(Person, named: Person)
}

/// A sensor of which it is unknown whose it is. It has no name here, because messages end up in journals.
public struct UnclaimedSensor: Hashable, Sendable {
  /// The command by which it came.
  package enum Source: String, Hashable, Sendable {
    /// A reader.
    case read
    /// A file.
    case importing = "import"
  }

  /// The current person, who the command is about.
  let person: Person
  /// The others whose it may be.
  let others: [Person]
  let source: Source

  /// The commands that say whose it is; `mine` is the condition for the last one.
  fileprivate func resolution(mine: String) -> String {
    let command = "libre \(source.rawValue)\(source == .importing ? " FILE" : "")"
    let words = others.map(\.word)
    let other =
      switch words.count {
      case 0: "libre person add NAME, then \(command) --person NAME, if it is somebody else's"
      case 1: "\(command) --person \(words[0]) if it is \(others[0].possessive)"
      default: "\(command) --person NAME if it belongs to \(words.joined(separator: " or "))"
      }
    return "\(other); \(command) --mine \(mine)"
  }
}

extension PersonError {
  public var explanation: ErrorExplanation {
    switch self {
    case .noSuchPerson(let name, let known):
      ErrorExplanation(
        "no_such_person",
        "unknown person \(name)\(known.isEmpty ? "" : "; known: \(known.joined(separator: ", "))")",
        known.isEmpty ? "libre person add \(Person.isName(name) ? name : "NAME")" : "libre person list")
    case .badName(let name):
      ErrorExplanation(
        "bad_person_name", "invalid name \(name) for a person",
        "use at most 64 lower-case letters, digits and -, such as ann; --name \"Ann Example\" is for the full name")
    case .exists(let name):
      ErrorExplanation(
        "person_exists", "there is a person \(name) already", "choose another name, or libre person list")
    case .isUser:
      ErrorExplanation(
        "person_is_user", "me stands for you, whose values are libre's own store",
        "choose the name of another person; libre person list shows them")
    case .hasSinks(let name, let sinks):
      ErrorExplanation(
        "person_has_sinks", "\(name) has the sinks \(sinks.joined(separator: ", "))",
        "libre sink remove \(sinks.first ?? "NAME") --person \(name)")
    case .hasValues(let name, let sensors, let samples):
      ErrorExplanation(
        "person_has_values", "\(name) has \(samples) samples of \(sensors) sensors, which cannot be restored",
        "libre store backup FILE --person \(name), then libre person remove \(name) --yes")
    case .wornMeanwhile(let sensor, let startedAt, let lastReadAt):
      ErrorExplanation(
        "another_persons_sensor",
        "this sensor is not stored. It was started \(startedAt.rfc3339), and another one, which is \(sensor.person.possessive), was active when it was last read, \(lastReadAt.rfc3339): both were worn at the same time, so this one may be somebody else's",
        sensor.resolution(mine: sensor.person.name.map { "if \($0) wears both" } ?? "if you wear both"))
    case .unclaimed(let sensor):
      ErrorExplanation(
        "another_persons_sensor",
        "this sensor is not stored. It has not been read here before, and it may be \(([sensor.person] + sensor.others).map(\.possessive).joined(separator: " or "))",
        sensor.resolution(mine: "if it is \(sensor.person.possessive)"))
    case .belongsTo(let owner, let named):
      ErrorExplanation(
        "another_persons_sensor", "this sensor is not stored for \(named.word): it is \(owner.possessive)",
        "libre sensor give \(named.word) SENSOR, if it was stored for the wrong person; libre sensors --person \(owner.word) lists it"
      )
    }
  }

  public var exitStatus: Int32 {
    switch self {
    case .noSuchPerson, .badName, .exists, .isUser, .hasSinks, .hasValues: 64
    case .wornMeanwhile, .unclaimed, .belongsTo: 65
    }
  }
}

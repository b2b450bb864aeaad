// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import LibreDocuments
import LibreKit
import SampleStore
import SampleSync

struct SensorGiveCommand: LibreCommand {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "give",
    abstract: "Move a sensor with all its scans and samples to another person.",
    discussion: """
      For a sensor that was stored for the wrong person. Its later readings go to the other person too. What was sent for \
      the first one is taken back as with libre sensor forget, and the other person's sinks get it.

      Examples:
        libre sensor give ann 0M00009DHCR --dry-run
        libre sensor give me E007A0000025905E
      """)

  @Argument(
    help: ArgumentHelp("Who gets it: a name of libre person list, or me.", valueName: "person"), completion: .persons)
  var receiver: String

  @Argument(help: ArgumentHelp("UID, serial or fingerprint of the sensor.", valueName: "sensor"), completion: .sensors)
  var sensor: String

  @Flag(help: "Show what would be moved, and move nothing.")
  var dryRun = false

  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) async throws {
    let person = try Persons.named(receiver, environment: Session.environment)
    let theirs = try session.session(of: person)
    let (owner, stored) = try owner(among: session.household())
    let name = stored.identity.serial ?? stored.identity.uid?.description ?? "the sensor without UID"
    guard owner.person != person else { return try session.write("\(name) is \(person.possessive) already\n") }
    let store = try StoreFile.openForWriting(owner.storePath())
    let notice = try RemovalNotice(of: stored, in: store)
    if !dryRun { try store.give(stored, to: StoreFile.openForWriting(theirs.storePath())) }
    try session.write(
      "\(name): \(stored.sampleCount) samples \(dryRun ? "would be" : "are now") \(person.possessive)\n")
    if dryRun { return try owner.remark(onPlanned: notice, from: store) }
    try await owner.takeBack(notice, from: store)
    try await theirs.sendNew()
  }

  /// The person who has the sensor, and the sensor; the person of the session first.
  ///
  /// - Throws: the error of the first store if none of them has it.
  private func owner(among household: [Session]) throws -> (owner: Session, sensor: StoredSensor) {
    var missing: LibreError?
    for owner in household {
      do {
        if let store = try owner.existingStore() { return (owner, try store.chosenWear(of: sensor, wear: nil).sensor) }
      } catch let error as StoreError {
        guard case .noSuchSensor = error else { throw error }
        missing = missing ?? .store(error)
      }
    }
    if let missing { throw missing }
    throw LibreError.store(.missing(path: try household[0].storePath()))
  }
}

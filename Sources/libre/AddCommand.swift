// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit
import SampleStore
import TextFormats

struct AddCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Note a finger-stick.",
    discussion: """
      A value is in the unit that is set (--unit), or in the one that is written with it. Adding the same value of the same \
      moment again changes nothing; --remove takes one back.

      Examples:
        libre add 5.6mmol --at 2024-05-02T12:20
        libre add 104 --note "before lunch"
      """)

  @Argument(help: ArgumentHelp("Blood glucose: 104, 104mg, 5.6mmol.", valueName: "glucose"))
  var glucose: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("When it was measured: \(TimeArgument.forms).", valueName: "time"))
  var at = "now"

  @Option(help: ArgumentHelp("Anything to remember with it.", valueName: "text"))
  var note: String?

  @Option(help: ArgumentHelp("Take the finger-stick with this id out again.", valueName: "id"))
  var remove: String?

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (glucose == nil) != (remove == nil) else {
      throw ValidationError("add takes a value, or --remove with an id. Try: libre add 104")
    }
    if let remove, SampleID(text: remove) == nil {
      throw ValidationError("--remove \(remove) is no id. Try: one of libre history --finger-sticks --json")
    }
  }

  func execute(_ session: Session) throws {
    let unit = session.configuration.unit
    // Before the store, which a mistake in the command line must not make.
    let time = try TimeArgument.moment(at, of: "--at", now: LocalTime.now, isPast: true)
    let store = try StoreFile.openForWriting(try session.storePath())
    if let id = remove.flatMap(SampleID.init(text:)) {
      let isRemoved = try store.remove(id)
      guard isRemoved else { throw LibreError.store(.noSuchEntry(id.description)) }
      return try session.write("removed \(id)\n")
    }
    let concentration = try GlucoseText.concentration(glucose ?? "", unit: unit)
    let stick = FingerStick(time: time, concentration: concentration, note: note)
    let (outcome, id) = try store.note(stick)
    let known = outcome == .known ? " (known already)" : ""
    try session.write("\(unit.shown(concentration)) \(unit.rawValue) at \(LocalTime.text(time)), id \(id)\(known)\n")
  }
}

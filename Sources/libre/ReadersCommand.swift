// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import LibreKit
import Meters

struct ReadersCommand: LibreCommand, CancellableCommand {
  static let configuration = CommandConfiguration(
    "readers", "List connected readers and what they can do.",
    discussion: """
      Examples:
        libre readers
        libre readers --supported --json | jq -r '.readers[] | select(.iso15693 == "yes") | .title'
        libre readers --json | jq -r '.readers[].address'
        libre readers --watch
      """)

  @Flag(help: "List known reader models instead, also those that cannot read sensors.")
  var supported = false

  @Flag(help: "Keep running, and write a line for each reader that comes or goes, and for each sensor on one.")
  var watch = false

  @Flag(help: "Write one JSON document; with --watch, one per line.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try refuse(if: supported && watch, "--supported and --watch exclude each other. Try: one of them")
  }

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    if supported {
      try session.write(
        json: json, document: { KnownReadersJSON.write(KnownReader.all, to: &$0) },
        text: KnownReadersText.text(style: session.style))
      return 0
    }
    if watch {
      try await follow(session)
      return SignalHandler.exitStatus
    }
    let document = await ReaderSurvey(asking: Catalogue.standard.readerBackends)
    try session.write(
      json: json, document: { ReadersJSON.write(document, to: &$0) },
      text: ReadersText(style: session.style).text(of: document))
    return document.exitStatus
  }

  /// Writes what changes until it is interrupted, each way to readers for itself.
  private nonisolated func follow(_ session: Session) async throws(LibreError) {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for backend in Catalogue.standard.readerBackends {
          group.addTask {
            var roll = ReaderRoll()
            var reported: TransportError?
            for await list in backend.changes() {
              if case .failure(let error) = list, error != reported { session.report(.waits(error)) }
              reported = if case .failure(let error) = list { error } else { nil }
              for change in roll.changes(to: (try? list.get()) ?? []) { try write(change, session) }
            }
          }
        }
        try await group.waitForAll()
      }
    } catch {
      throw LibreError(wrapping: error) ?? .transport(.cancelled)
    }
  }

  private nonisolated func write(_ change: ReaderChange, _ session: Session) throws(LibreError) {
    let time = LocalTime.now
    if json {
      try session.writeLine { ReaderChangeDocument.write((change, time), to: &$0) }
    } else {
      try session.write(ReaderChangeDocument.line(for: change, at: time))
    }
  }
}

struct DoctorCommand: CommandWithDocument, CancellableCommand {
  static let configuration = CommandConfiguration(
    "doctor", "Check whether this machine can read a sensor, and what is missing.",
    discussion: """
      Looks at the PC/SC service, drivers, readers, permissions, the configuration's mode and the time zone, and asks a Proxmark3 or a Flipper \
      Zero whether it can send frames, and adb whether it reaches a phone; changes nothing. Exit status 0 if a sensor can be read. Bluetooth is checked as \
      well, for meters.

      Examples:
        libre doctor
        libre doctor --json | jq -r '.checks[].remedy // empty'
      """)

  @OptionGroup var document: DocumentOption
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let diagnosis = await Session.diagnosis()
    let bluetooth = await BluetoothReport.take(environment: Session.environment)
    try session.write(
      json: json, document: { DoctorJSON.write((diagnosis, bluetooth), to: &$0) },
      text: DoctorText.text(diagnosis, style: session.style) + "\n" + DoctorText.text(bluetooth, style: session.style))
    return diagnosis.exitStatus
  }
}

struct FlipperCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "flipper", "Fetch sensors that a Flipper Zero has saved.",
    discussion: """
      For firmware that cannot send frames for a computer, with which libre read does not work. The Flipper's own app \
      (NFC, Read, then Save) saves a Libre 1 and gives up on a Libre 2. Nothing is written to the Flipper.

      Examples:
        libre flipper list
        libre flipper get libre.nfc --out libre.nfc
      """,
    subcommands: [List.self, Get.self])

  struct PortOption: ParsableArguments {
    @Option(
      help: .value("path", "Serial port of the Flipper. Default: the first one that is plugged in."),
      completion: .file())
    var port: String?

    var card: FlipperCard { FlipperCard(port: port) }
  }

  private static func path(_ name: String) throws -> FlipperPath {
    if let path = FlipperPath(name) { return path }
    throw ValidationError(
      "the name \(name) cannot be typed into the Flipper's shell. Try: rename it on the Flipper to letters and digits")
  }

  struct List: CommandWithDocument, CancellableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the files that the NFC app has saved.",
      discussion: """
        Examples:
          libre flipper list
          libre flipper list --json | jq -r '.files[].name'
        """)

    @Argument(help: .value("directory", "A directory in /ext/nfc, or with a leading slash any."))
    var directory = FlipperPath.saved.description

    @OptionGroup var document: DocumentOption
    @OptionGroup var port: PortOption
    @OptionGroup var global: GlobalOptions

    func validate() throws { _ = try FlipperCommand.path(directory) }

    func execute(_ session: Session) async throws {
      let directory = try FlipperCommand.path(directory)
      let listing = (directory: directory, files: try await port.card.files(in: directory))
      if json { return try session.write { FlipperFilesJSON.write(listing, to: &$0) } }
      try session.write(FlipperFilesTable.text(of: listing, style: session.style))
    }
  }

  struct Get: LibreCommand, CancellableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Fetch a saved file, as it is.",
      discussion: """
        A file that holds something else is replaced only with --force.

        Examples:
          libre flipper get libre.nfc --out libre.nfc
          libre flipper get libre.nfc | libre decode -
        """)

    @Argument(help: .value("name", "A file in /ext/nfc, or with a leading slash anywhere on the card."))
    var name: String

    @Option(help: .value("file", "Where to write; - is standard output."), completion: .file())
    var out = "-"

    @OptionGroup var force: ForceOption
    @OptionGroup var port: PortOption
    @OptionGroup var global: GlobalOptions

    func validate() throws { _ = try FlipperCommand.path(name) }

    func execute(_ session: Session) async throws {
      let file = try await port.card.file(at: try FlipperCommand.path(name))
      try force.write(dump: file.bytes, to: out, session)
      guard let seconds = file.localSeconds else { return }
      // The Flipper's clock has no time zone, so that this is for the user to confirm.
      let time = Instant(secondsSince1970: seconds).rfc3339.prefix(16)
      session.remark(
        "by the Flipper's own clock, it was saved at \(time)",
        resolution: "libre decode \(out == "-" ? "FILE" : out) --read-at \(time)")
    }
  }
}

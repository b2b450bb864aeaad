// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreDocuments
import LibreKit
import NFCTransport

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
      let listing = FlipperListing(directory: directory, files: try await port.card.files(in: directory))
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

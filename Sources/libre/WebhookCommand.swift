// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreKit
import SampleSinks
import SampleSync

struct WebhookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "webhook",
    abstract: "For those who receive what libre sends.",
    discussion: """
      Examples:
        libre webhook verify body --signature "$SIGNATURE" --secret-file key
        libre schema sample
      """,
    subcommands: [Verify.self])

  struct Verify: LibreCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check the signature of a body that has come in.",
      discussion: """
        The signature is the value of the header libre-signature: t=SECONDS,v1=HEX, where v1 is the HMAC-SHA256 of \
        "SECONDS." and the body. Terra's signatures have the same form. The secret is in LIBRE_WEBHOOK_SECRET unless a \
        file or a command is named. Exit status: 0 it is right, 65 it is none, 77 it is wrong or too old.

        Examples:
          libre webhook verify body --signature "$SIGNATURE" --secret-file key
          libre webhook verify - --signature "$SIGNATURE" --tolerance 86400 < body
        """)

    @Argument(
      help: ArgumentHelp("The body, byte for byte; - is standard input.", valueName: "file"), completion: .file())
    var body: String

    @Option(help: ArgumentHelp("The header's value.", valueName: "value"))
    var signature: String

    @Option(
      help: ArgumentHelp("A file of mode 600 with the secret in its first line.", valueName: "file"),
      completion: .file())
    var secretFile: String?

    @Option(help: ArgumentHelp("A command that writes the secret in its first line.", valueName: "command"))
    var secretCommand: String?

    @Option(help: ArgumentHelp("How far its time may be from now.", valueName: "seconds"))
    var tolerance: Int64 = WebhookSignature.toleranceSeconds

    @OptionGroup var global: GlobalOptions

    var inputPath: String? { body }

    func validate() throws {
      guard (0...Int64(Int32.max)).contains(tolerance) else {
        throw ValidationError("invalid value \(tolerance) for --tolerance. Try: seconds, such as 300")
      }
      if secretFile != nil, secretCommand != nil {
        throw ValidationError("--secret-file and --secret-command exclude each other. Try: one of them")
      }
    }

    func execute(_ session: Session) throws {
      let secret = try SinkSecret.chosen(
        file: secretFile, command: secretCommand, variable: Setting.webhookSecretVariable,
        environment: Session.environment
      )
      let bytes = try Files.read(body)
      do throws(WebhookSignature.Failure) {
        try WebhookSignature.verify(signature, body: bytes, secret: secret, now: LocalTime.now, tolerance: tolerance)
      } catch {
        throw LibreError.sink(.signature(error))
      }
      try session.write("the signature is right\n")
    }
  }
}

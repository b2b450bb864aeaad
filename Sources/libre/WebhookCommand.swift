// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreKit
import SampleSinks
import SampleSync

struct WebhookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "webhook",
    abstract: "Check requests that libre sends to a webhook.",
    discussion: """
      Examples:
        libre webhook verify body --signature "$SIGNATURE" --secret-file key
        libre schema sample
      """,
    subcommands: [Verify.self])

  struct Verify: LibreCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check the signature of a received body.",
      discussion: """
        The signature is the value of the header libre-signature: t=SECONDS,v1=HEX, where v1 is the HMAC-SHA256 of \
        "SECONDS." and the body. Terra's signatures have the same form. The secret is in LIBRE_WEBHOOK_SECRET unless \
        --secret-file or --secret-command is given. Exit status: 0 valid, 65 malformed, 77 wrong or too old.

        Examples:
          libre webhook verify body --signature "$SIGNATURE" --secret-file key
          libre webhook verify - --signature "$SIGNATURE" --tolerance 86400 < body
        """)

    @Argument(help: .value("file", "File with the unchanged body, - for standard input."), completion: .file())
    var body: String

    @Option(help: .value("value", "Value of the header libre-signature."))
    var signature: String

    @OptionGroup var place: SecretOptions

    @Option(help: .value("seconds", "Maximum difference between the signature's time and now."))
    var tolerance: Int64 = WebhookSignature.toleranceSeconds

    @OptionGroup var global: GlobalOptions

    var inputPath: String? { body }

    func validate() throws {
      try check(tolerance, of: "--tolerance", allowed: "seconds, such as 300", (0...Int64(Int32.max)).contains)
      try refuse(
        if: place.secretFile != nil && place.secretCommand != nil,
        "--secret-file and --secret-command exclude each other. Try one of them")
    }

    func execute(_ session: Session) throws {
      let secret = try SinkSecret.chosen(
        file: place.secretFile, command: place.secretCommand, variable: Setting.webhookSecretVariable,
        environment: Session.environment)
      let bytes = try Files.read(body)
      do throws(WebhookSignature.Failure) {
        try WebhookSignature.verify(signature, body: bytes, secret: secret, now: LocalTime.now, tolerance: tolerance)
      } catch {
        throw LibreError.sink(.signature(error))
      }
      try session.write("the signature is valid\n")
    }
  }
}

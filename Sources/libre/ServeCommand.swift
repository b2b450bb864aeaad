// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import GlucoseServer
import HostSystem
import Logging
import SampleSync
import SensorHistory
import TextFormats

struct ServeCommand: CommandWithStore, CancellableCommand {
  static let configuration = CommandConfiguration(
    "serve", "Serve the store to programs that read Nightscout or xDrip.",
    discussion: """
      Answers what Home Assistant, followers, clocks, prompts and xDrip's clients ask a Nightscout site, shows a live page \
      in a browser, and gives metrics to Prometheus. It only reads: nothing that a client sends changes the store.

      Only programs of this computer reach the usual address. For others, such as Home Assistant on another machine, a \
      clock or a phone, name an address of this computer and a secret of 12 bytes or more, in LIBRE_SERVE_SECRET, a file \
      or a command. With --watch it reads the sensor on the reader meanwhile, as libre watch does. It tells alerts \
      (libre alerts).

      If several people are known (libre person list), each of the others is served below /person/NAME/, with a secret of \
      their own: libre config set serve.secret_file FILE --person NAME.

      Examples:
        libre serve
        libre serve --listen 0.0.0.0:17580 --secret-file ~/.config/libre/serve-secret --watch
      """)

  @Option(
    help: .value("address", "Where to listen: HOST:PORT, [IPV6]:PORT or unix:/path; else \(ListenAddress.standard)."))
  var listen: String?

  @Option(help: .value("file", "A file of mode 600 with the secret in its first line."), completion: .file())
  var secretFile: String?

  @Flag(help: "If the file of --secret-file is missing, make it, with a new secret.")
  var makeSecret = false

  @Option(help: .value("command", "A command that writes the secret in its first line."))
  var secretCommand: String?

  @Option(help: .value("name", "A further host name under which browsers may reach it without a secret."))
  var allowHost: [String] = []

  @Option(help: .value("origin", "A web site whose pages may read the answers, such as https://site.example."))
  var allowOrigin: [String] = []

  @Flag(help: "Read the sensor on the reader meanwhile.")
  var watch = false

  @Option(help: .value("seconds", "With --watch: read every so often while the sensor stays, instead of once a tap."))
  var interval: Double?

  @OptionGroup var options: ReaderOptions
  @OptionGroup var store: StoreOptions

  var flags: [Setting: String] {
    var flags = options.flags.merging(store.flags) { $1 }
    flags[.serveListen] = listen
    flags[.serveSecretFile] = secretFile
    flags[.serveSecretCommand] = secretCommand
    if !allowHost.isEmpty { flags[.serveAllowHosts] = allowHost.joined(separator: ",") }
    if !allowOrigin.isEmpty { flags[.serveAllowOrigins] = allowOrigin.joined(separator: ",") }
    return flags
  }

  func validate() throws {
    try check(listen, of: "--listen", allowed: "\(ListenAddress.standard)") { ListenAddress($0) != nil }
    try check(seconds: interval, of: "--interval")
    try refuse(if: interval != nil && !watch, "--interval is for --watch. Try: libre serve --watch")
    try refuse(
      if: secretFile != nil && secretCommand != nil,
      "--secret-file and --secret-command exclude each other. Try: one of them")
    try refuse(if: makeSecret && secretFile == nil, "--make-secret needs a file. Try: --secret-file FILE --make-secret")
  }

  func execute(_ session: Session) async throws -> Int32 {
    let settings = session.configuration
    if makeSecret { try Self.makeSecret(in: settings[.serveSecretFile].text) }
    let address = ListenAddress(settings[.serveListen].text) ?? .standard
    let served = try session.household().compactMap { theirs in try part(of: theirs, session, at: address) }
    let server = HTTPServer(served.map(\.person), logger: session.logger)
    let alerts = AlertLoop(session, isEverybodys: global.person == nil)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for person in served.map(\.person) {
        group.addTask { await person.observe { Session.report(.store($0)) } }
      }
      if watch {
        let keeper = try ReadingKeeper(
          session, isWanted: true, calibration: options.calibration, isNamed: global.person != nil)
        var reader = try options.sensorReader(session)
        reader.timeout = WatchLoop.timeout
        reader.onWaiting = { session.report($0) }
        group.addTask { [reader] in
          await Self.watch(reader, WatchLoop(session: session, keeper: keeper, interval: interval), alerts)
        }
      }
      group.addTask { try await server.run(at: address) { greet(session, $0, served) } }
      // The server ends first: by an interruption, or since it cannot listen.
      defer { group.cancelAll() }
      while try await group.next() != nil { if Task.isCancelled { break } }
    }
    await alerts.finish()
    return SignalHandler.exitStatus
  }

  /// Makes the file with a new secret, if it is missing, and says where it is: clients need it.
  private static func makeSecret(in file: String) throws(LibreError) {
    let path = UserDirectories.expanded(file, environment: Session.environment)
    guard !FileSystem.exists(path) else { return }
    var generator = SystemRandomNumberGenerator()
    let digits = (0..<2).map { _ in HexText.string(of: generator.next() as UInt64) }.joined().lowercased()
    try SinkSecret.write(Secret(digits), to: path)
    Session.notify("made a secret for the clients, in \(path)", resolution: "cat \(path)")
  }

  private struct Part: Sendable {
    let session: Session
    let secret: ServerSecret?
    let person: ServedPerson
  }

  /// Prepares the part of a person; nil if others could read it without a secret, except for the person of this run.
  private func part(of theirs: Session, _ session: Session, at address: ListenAddress) throws -> Part? {
    let isFirst = theirs.person == session.person
    let secret = try Self.secret(theirs)
    if secret == nil, !address.isLocal {
      if isFirst { throw ServerError.secretRequired(address) }
      Session.notify(
        "\(theirs.person.word) is not served: others can reach \(address), and \(theirs.person.word) has no secret",
        resolution: "libre config set serve.secret_file FILE --person \(theirs.person.word)")
      return nil
    }
    let isSocket = if case .unixSocket = address { true } else { false }
    let access = AccessRules(
      secret: secret, hosts: Setting.names(session.configuration[.serveAllowHosts].text),
      origins: Setting.names(session.configuration[.serveAllowOrigins].text), checksHost: !isSocket)
    let person = try ServedPerson(
      isFirst ? nil : theirs.person.word, path: theirs.storePath(), calibration: options.calibration.choice(theirs),
      ignoring: theirs.ignoredSources, unit: theirs.configuration.unit, access: access, now: LocalTime.now)
    return Part(session: theirs, secret: secret, person: person)
  }

  /// The variable's, else the file's, else the command's; nil if none is set.
  private static func secret(_ session: Session) throws -> ServerSecret? {
    let (settings, environment) = (session.configuration, session.environment)
    let variable = SecretVariable.serve
    let isInVariable = environment[variable].map { !$0.isEmpty } ?? false
    let file = isInVariable ? nil : settings[.serveSecretFile].textIfSet
    let command = isInVariable ? nil : settings[.serveSecretCommand].textIfSet
    guard isInVariable || file != nil || command != nil else { return nil }
    let secret = try SinkSecret.chosen(file: file, command: command, variable: variable, environment: environment)
    guard let known = ServerSecret(secret.revealed()) else {
      throw ServerError.secretTooShort(minimum: ServerSecret.minimumLength)
    }
    return known
  }

  /// Reads the sensor until it is interrupted. What fails is reported once, and never ends the server.
  private static func watch(_ reader: SensorReader, _ loop: WatchLoop, _ alerts: AlertLoop) async {
    var reported: LibreError?
    do throws(LibreError) {
      _ = try await loop.run(reader.open()) { result, _ throws(LibreError) in
        alerts.check()
        let failure = if case .failure(let error) = result { error } else { LibreError?.none }
        if let failure, failure != reported { Session.report(failure) }
        reported = failure
      }
    } catch {
      Session.report(error)
    }
    await loop.keeper.close()
  }

  /// Prints the address for each kind of client, and on a terminal the page's as a QR code for a phone.
  private func greet(_ session: Session, _ address: ListenAddress, _ parts: [Part]) {
    if session.isQuiet { return }
    if !address.isLocal {
      session.remark(
        "values and the secret go over the network unencrypted (plain HTTP)",
        resolution: "a proxy with TLS in front of libre serve, or a tunnel, outside a network that you trust")
    }
    for part in parts {
      let greeting = ServerGreeting(
        address, prefix: part.person.prefix, person: part.session.label(among: parts.map(\.session)),
        hasSecret: part.secret != nil, host: NetworkAddresses.ipv4.first ?? NetworkAddresses.hostName)
      try? session.write(part.person.prefix.isEmpty ? greeting.text : greeting.section)
      guard part.person.prefix.isEmpty, session.isInteractive, !address.isLocal else { continue }
      // By standard input: arguments can be seen by everybody on the machine.
      let code = ChildProcess.run(
        ["qrencode", "-t", "UTF8", "-o", "-"], environment: Session.environment,
        input: Array(greeting.page(secret: part.secret).utf8), isSilent: true)
      guard code.status == 0 else { continue }
      try? session.write("\nFor a phone's camera, with the secret:\n")
      try? session.write(code.output)
    }
  }
}

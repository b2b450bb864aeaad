// SPDX-License-Identifier: Apache-2.0
import HostSystem
public import LibreKit
public import SampleSinks

extension SinkSetup {
  /// From the variable, else the file, else the command, each of which gives it in its first line; nil where none of the
  /// three is there.
  func secret(environment: [String: String]) throws(LibreError) -> Secret? {
    if let text = environment[secretVariable], !text.isEmpty { return Secret(text) }
    if let secretFile {
      return try SinkSecret.read(file: UserDirectories.expanded(secretFile, environment: environment))
    }
    return try secretCommand.map { command throws(LibreError) in try SinkSecret.ask(command, environment) }
  }

  /// Where the secret comes from, for people; a command's text may hold what is nobody's business.
  public func secretOrigin(environment: [String: String]) -> String? {
    if environment[secretVariable]?.isEmpty == false { return secretVariable }
    return secretFile ?? secretCommand.map { _ in Self.secretCommandKey }
  }
}

extension SinkSetup {
  /// The explanation if a receiver does not accept the secret; `reason` is its answer.
  static func unauthorized(_ reason: String, secretOrigin: String?) -> String {
    guard let secretOrigin else { return "it asks for a secret, and none is set up: \(reason)" }
    return "it does not accept the secret, which comes from \(secretOrigin): \(reason)"
  }
}

/// How a secret comes in: never by an argument, which everybody on the machine can see.
public enum SinkSecret {
  /// Longer than any token, shorter than a file that is named by mistake.
  private static let limit = 65_536
  private static let patienceSeconds = 60

  /// The file's first line. Throws `secretTooOpen` for a file that others may read, `secretUnreadable`, `secretEmpty`.
  public static func read(file path: String) throws(LibreError) -> Secret {
    let bytes: [UInt8]
    do throws(PrivateFile.Failure) {
      bytes = try PrivateFile.read(path, limit: limit)
    } catch {
      switch error {
      case .tooOpen(let mode): throw .sink(.secretTooOpen(path: path, mode: mode))
      case .unreadable(let reason): throw .sink(.secretUnreadable(path: path, reason: reason))
      }
    }
    return try secret(bytes, from: path)
  }

  /// From a file or a command that is named, else from a variable. Throws `secretMissing` where none of the three is there.
  public static func chosen(
    file: String?, command: String?, variable: String, environment: [String: String]
  ) throws(LibreError) -> Secret {
    if let file { return try read(file: file) }
    if let command { return try ask(command, environment) }
    if let text = environment[variable], !text.isEmpty { return Secret(text) }
    throw .sink(.secretMissing(variable: variable))
  }

  /// What a command writes in its first line, such as `pass show nightscout`.
  static func ask(_ command: String, _ environment: [String: String]) throws(LibreError) -> Secret {
    // The secrets of other sinks are none of its business.
    let own = environment.filter {
      !$0.key.hasPrefix(Setting.secretVariablePrefix) && $0.key != Setting.webhookSecretVariable
    }
    // It may ask a person, on the terminal, but not for ever. Standard input may be somebody's data. Where nobody is to be
    // asked, it gets a session of its own, which has no terminal.
    let asksNobody = environment[Setting.noInput.variable].flatMap(Setting.noInput.written) == "true"
    let session = asksNobody ? ["setsid"] : []
    let words = ["timeout", "--foreground", "\(patienceSeconds)"] + session + ["sh", "-c", command]
    var hasLine = false
    // No more than the line: what it leaves running may hold the pipe open.
    let outcome = ChildProcess.run(words, environment: own) { byte, line in
      hasLine = byte == 0x0A
      if !hasLine { line.append(byte) }
      return !hasLine && line.count < limit
    }
    // What it had to say after the line was not heard.
    guard outcome.status == 0 || hasLine && outcome.isBrokenPipe else {
      throw .sink(.secretCommandFailed(status: outcome.status))
    }
    return try secret(outcome.output, from: SinkSetup.secretCommandKey)
  }

  /// The first line of standard input, for `--secret-stdin`.
  public static func readStandardInput() throws(LibreError) -> Secret {
    try secret(try Files.read("-").prefix(limit), from: "standard input")
  }

  /// What a person typed. Throws `secretEmpty` for nothing.
  public static func typed(_ text: String) throws(LibreError) -> Secret { try secret(text.utf8, from: "the terminal") }

  static func secret(_ bytes: some Collection<UInt8>, from origin: String) throws(LibreError) -> Secret {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else { throw .sink(.secretEmpty(origin: origin)) }
    guard let text = String(validating: line, as: UTF8.self), !text.utf8.contains(0) else {
      throw .sink(.secretUnreadable(path: origin, reason: "its first line is no text"))
    }
    return Secret(text)
  }

  /// Writes a secret to a file that only its owner can read.
  public static func write(_ secret: Secret, to path: String) throws(LibreError) {
    let isThere = FileSystem.exists(path)
    do throws(LibreError) {
      try Files.writePrivate(Array("\(secret.revealed())\n".utf8), to: path, keepsMode: false)
    } catch {
      if !isThere { try? FileSystem.remove(path) }
      throw error
    }
  }
}

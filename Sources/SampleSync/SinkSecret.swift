// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreKit
package import TextFormats

extension SinkSetup {
  /// The secret from the variable, the file or the command, in this order; nil without any of them.
  func secret(environment: [String: String]) throws(LibreError) -> Secret? {
    if let text = environment[secretVariable], !text.isEmpty { return Secret(text) }
    if let secretFile {
      let path = ConfigurationPath.absolute(secretFile, in: section.path, environment: environment)
      return try SinkSecret.read(file: path, environment: environment)
    }
    return try secretCommand.map { command throws(LibreError) in try SinkSecret.ask(command, environment) }
  }

  /// Returns the origin of the secret, for people; not a command's text, which may be private.
  package func secretOrigin(environment: [String: String]) -> String? {
    if environment[secretVariable]?.isEmpty == false { return secretVariable }
    if let secretFile {
      return secretFile.hasPrefix("~/")
        ? secretFile : ConfigurationPath.absolute(secretFile, in: section.path, environment: environment)
    }
    return secretCommand.map { _ in Self.secretCommandKey }
  }

  static func unauthorized(_ reason: String, secretOrigin: String?) -> String {
    guard let secretOrigin else { return "it requires a secret, but none is configured: \(reason)" }
    return "it rejects the secret from \(secretOrigin): \(reason)"
  }
}

/// Reading of secrets: never from an argument, which every user of the machine can see.
package enum SinkSecret {
  /// Maximum size: longer than any token, shorter than a file named by mistake.
  private static let limit = 65_536
  private static let timeoutSeconds = 60

  /// Throws `secretTooOpen` for a file that others may read, `secretUnreadable`, `secretEmpty`.
  package static func read(file path: String, environment: [String: String]) throws(LibreError) -> Secret {
    let bytes: [UInt8]
    do throws(PrivateFile.Failure) {
      bytes = try PrivateFile.read(path, limit: limit, environment: environment)
    } catch {
      switch error {
      case .tooOpen(let mode): throw .sink(.secretTooOpen(path: path, mode: mode))
      case .unreadable(let reason): throw .sink(.secretUnreadable(path: path, reason: reason))
      case .tooLarge: throw tooLong(path)
      }
    }
    return try secret(bytes, from: path)
  }

  /// Returns the first line of a command's output, such as `pass show nightscout`.
  package static func ask(_ command: String, _ environment: [String: String]) throws(LibreError) -> Secret {
    // The command must not see the secrets of other sinks.
    let own = environment.filter { !SecretVariable.isOne($0.key) }
    // The command may ask a person on the terminal, but not for ever. Standard input may contain other data. If the user
    // may not be asked, it gets a session of its own without a terminal.
    let session = NoInput.isSet(in: environment) ? ["setsid"] : []
    let words = ["timeout", "--foreground", "\(timeoutSeconds)"] + session + ["sh", "-c", command]
    var hasLine = false
    // Reads the first line only: a process that the command leaves running may keep the pipe open.
    let outcome = ChildProcess.run(words, environment: own) { byte, line in
      hasLine = byte == 0x0A
      if !hasLine { line.append(byte) }
      return !hasLine && line.count <= limit
    }
    // Later output was not read.
    guard outcome.status == 0 || (hasLine || outcome.output.count > limit) && outcome.isBrokenPipe else {
      throw .sink(.secretCommandFailed(status: outcome.status))
    }
    return try secret(outcome.output, from: SinkSetup.secretCommandKey)
  }

  package static func secret(_ bytes: some Collection<UInt8>, from origin: String) throws(LibreError) -> Secret {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else { throw .sink(.secretEmpty(origin: origin)) }
    guard line.count <= limit else { throw tooLong(origin) }
    guard let text = String(validating: line, as: UTF8.self), !text.utf8.contains(0) else {
      throw .sink(.secretUnreadable(path: origin, reason: "its first line is not UTF-8 text"))
    }
    return Secret(text)
  }

  private static func tooLong(_ origin: String) -> LibreError {
    .sink(.secretUnreadable(path: origin, reason: "it is longer than \(limit) bytes, so it is not a secret"))
  }
}

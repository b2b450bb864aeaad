// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreKit
package import SampleSync
package import TextFormats

extension SinkSecret {
  /// Reads the secret from a named file or command, otherwise from a variable; throws `secretMissing` without any of
  /// them.
  package static func chosen(
    file: String?, command: String?, variable: String, environment: [String: String]
  ) throws(LibreError) -> Secret {
    if let file { return try read(file: file, environment: environment) }
    if let command { return try ask(command, environment) }
    if let text = environment[variable], !text.isEmpty { return Secret(text) }
    throw .sink(.secretMissing(variable: variable))
  }

  package static func readStandardInput() throws(LibreError) -> Secret {
    try secret(try Files.read("-"), from: "standard input")
  }

  /// Throws `secretEmpty` if nothing was typed.
  package static func typed(_ text: String) throws(LibreError) -> Secret { try secret(text.utf8, from: "the terminal") }

  package static func write(_ secret: Secret, to path: String) throws(LibreError) {
    let isThere = FileSystem.exists(path)
    do throws(LibreError) {
      try Files.writePrivate(Array("\(secret.revealed())\n".utf8), to: path, keepsMode: false)
    } catch {
      if !isThere { try? FileSystem.remove(path) }
      throw error
    }
  }
}

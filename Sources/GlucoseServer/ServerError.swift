// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import HostSystem

/// Reason for which the server does not serve. The culprit is the address, or how the server is set up.
package enum ServerError: ExplainedError {
  /// Another program listens there.
  case addressInUse(ListenAddress)
  /// A port below 1024, or a directory that may not be written to.
  case accessDenied(ListenAddress)
  /// A file that is not a socket is at the path.
  case pathTaken(ListenAddress)
  /// The system's words.
  case cannotListen(ListenAddress, words: String)
  /// Others can reach the address, and anybody could read.
  case secretRequired(ListenAddress)
  case secretTooShort(minimum: Int)
  /// This build has no HTTP server.
  case notInThisBuild

  package var explanation: ErrorExplanation {
    switch self {
    case .addressInUse(let address):
      ErrorExplanation(
        "address_in_use", "another program listens on \(address)",
        "libre serve --listen with another port, or find that program with ss -ltnp")
    case .accessDenied(let address):
      ErrorExplanation(
        "access_denied", "this user may not listen on \(address)",
        "libre serve --listen with a port of 1024 or more, or a socket in a directory of yours")
    case .pathTaken(let address):
      ErrorExplanation(
        "cannot_listen", "cannot listen on \(address): a file that is not a socket is there",
        "libre serve --listen with another path, or remove that file")
    case .cannotListen(let address, let words):
      ErrorExplanation(
        "cannot_listen", "cannot listen on \(address): \(words)",
        "libre serve --listen with an address of this computer; ip address lists them")
    case .secretRequired(let address):
      ErrorExplanation(
        "secret_required", "others can reach \(address), and no secret is set",
        "libre serve --secret-file FILE, a file of mode 0600 with the secret in its first line")
    case .secretTooShort(let minimum):
      ErrorExplanation(
        "secret_too_short", "the secret is shorter than \(minimum) bytes",
        "choose a longer one, such as what openssl rand -hex 16 prints")
    case .notInThisBuild:
      ErrorExplanation(
        "not_in_this_build", "this build of libre has no HTTP server",
        "build it with the trait Serve, which is on by default")
    }
  }

  package var exitStatus: Int32 {
    switch self {
    case .addressInUse, .pathTaken, .cannotListen, .notInThisBuild: 69
    case .accessDenied: 77
    case .secretRequired, .secretTooShort: 78
    }
  }
}

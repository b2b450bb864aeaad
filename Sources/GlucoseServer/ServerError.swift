// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import HostSystem
import LibreDocuments

/// Reason for which the server does not serve. The culprit is the address, or how the server is set up.
package enum ServerError: RemediedError {
  case addressInUse(ListenAddress)
  /// A port below 1024, or a directory that may not be written to.
  case accessDenied(ListenAddress)
  case pathTaken(ListenAddress)
  case cannotListen(ListenAddress, words: String)
  /// Others can reach the address, and anybody could read.
  case secretRequired(ListenAddress)
  case secretTooShort(minimum: Int)
  case notInThisBuild

  package var explanation: (code: String, message: String) {
    switch self {
    case .addressInUse(let address): ("address_in_use", "another program listens on \(address)")
    case .accessDenied(let address): ("access_denied", "this user may not listen on \(address)")
    case .pathTaken(let address): ("cannot_listen", "cannot listen on \(address): a file that is not a socket is there")
    case .cannotListen(let address, let words): ("cannot_listen", "cannot listen on \(address): \(words)")
    case .secretRequired(let address): ("secret_required", "others can reach \(address), and no secret is set")
    case .secretTooShort(let minimum): ("secret_too_short", "the secret is shorter than \(minimum) bytes")
    case .notInThisBuild: ("not_in_this_build", "this build of libre has no HTTP server")
    }
  }

  package var exitStatus: Int32 {
    switch self {
    case .addressInUse, .pathTaken, .cannotListen, .notInThisBuild: 69
    case .accessDenied: 77
    case .secretRequired, .secretTooShort: 78
    }
  }

  package var resolution: String {
    switch self {
    case .addressInUse: "libre serve --listen with another port, or find that program with ss -ltnp"
    case .accessDenied: "libre serve --listen with a port of 1024 or more, or a socket in a directory of yours"
    case .pathTaken: "libre serve --listen with another path, or remove that file"
    case .cannotListen: "libre serve --listen with an address of this computer; ip address lists them"
    case .secretRequired: "libre serve --secret-file FILE, a file of mode 0600 with the secret in its first line"
    case .secretTooShort: "choose a longer one, such as what openssl rand -hex 16 prints"
    case .notInThisBuild: "build it with the trait Serve, which is on by default"
    }
  }
}

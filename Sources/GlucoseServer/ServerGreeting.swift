// SPDX-License-Identifier: Apache-2.0
package import HostSystem

/// Text that the server prints when it listens: the exact address for each kind of client.
package struct ServerGreeting: Sendable {
  /// Address without a slash at its end; of a Unix socket the one that curl wants.
  private let base: String
  private let address: ListenAddress
  private let person: String?
  private let hasSecret: Bool

  /// `prefix` is the beginning of the person's addresses; `person` is their name, if several are served. `host` stands
  /// for an address that stands for all of this computer's.
  package init(_ address: ListenAddress, prefix: String = "", person: String? = nil, hasSecret: Bool, host: String?) {
    self.address = address
    self.person = person
    self.hasSecret = hasSecret
    switch address {
    case .internet(let name, let port):
      let host = address.isAny ? host ?? name : name
      base = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(prefix)"
    case .unixSocket: base = "http://localhost\(prefix)"
    }
  }

  /// The greeting may end up in a log.
  private static let placeholder = "SECRET"

  /// The address of the live page, which a phone opens; with the secret in the form that clients send.
  package func page(secret: ServerSecret?) -> String { "\(base)/\(secret.map { "?token=\($0.sha1)" } ?? "")" }

  package var text: String { "Listening on \(address). Ctrl-C ends it.\n" + section }

  package var section: String {
    var lines = ["", person.map { "\($0):" }].compactMap(\.self)
    if case .unixSocket(let path) = address {
      lines.append("  curl --unix-socket \(path) \(base)/api/v1/entries.json")
    } else {
      let width = clients.map(\.name.count).max() ?? 0
      for (name, place) in clients {
        lines.append("  \(name)\(String(repeating: " ", count: width - name.count))  \(place)")
      }
    }
    if hasSecret {
      lines += [
        "",
        "\(Self.placeholder) is \(person.map { "the secret of \($0)" } ?? "the secret"). Clients with a field for an API secret or token get it there.",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var clients: [(name: String, place: String)] {
    let token = hasSecret ? "?token=\(Self.placeholder)" : ""
    let more = hasSecret ? "&token=\(Self.placeholder)" : ""
    let user = hasSecret ? base.replacing("http://", with: "http://\(Self.placeholder)@", maxReplacements: 1) : base
    return [
      ("Browser", "\(base)/\(token)"),
      ("Home Assistant, Nightscout clients", base),
      ("xDrip+ as a Nightscout follower", "\(user)/"),
      ("Clients of xDrip's web service", "\(base)/sgv.json\(token)"),
      ("oh-my-posh and scripts", "\(base)/api/v1/entries.json?count=1\(more)"),
      ("Prometheus", "\(base)/metrics\(token)"),
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreKit

/// Which store.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file in which samples are remembered; else history.sqlite in libre's data folder.", valueName: "file"),
    completion: .file())
  var store: String?

  /// What the flag says, by setting.
  var flags: [Setting: String] { store.map { [.store: $0] } ?? [:] }
}

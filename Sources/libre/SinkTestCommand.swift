// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreDocuments
import LibreKit
import SampleStore
import SampleSync

struct SinkTestCommand: CommandWithStore {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Check that a receiver can be reached and accepts libre's credentials.",
    discussion: """
      No sample is sent. Exit status: 0 success, 75 it cannot be reached now, 77 it refuses access or permits reading only, \
      78 the sink's configuration is invalid.

      Examples:
        libre sink test night
        libre sink test --json | jq -r '.sinks[] | "\\(.name) \\(.state)"'
      """)

  @Argument(help: ArgumentHelp("Names of the sinks. Default: all.", valueName: "name"), completion: .sinks)
  var names: [String] = []

  @Flag(help: "Write one JSON document.")
  var json = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let views = try session.sinkViews()
    var probes: [SinkProbe] = []
    for (name, setup) in try session.sinks(named: names) {
      let probe: SinkProbe
      switch setup {
      case .success(let setup):
        let memory = views.first { $0.name == name }?.stored?.memory ?? [:]
        probe = try await SinkProbe(setup, environment: session.environment, memory: memory, now: LocalTime.now) {
          session.courier(to: $0, of: setup)
        }
      case .failure(let error): probe = SinkProbe(wrong: error, name)
      }
      probes.append(probe)
      if Task.isCancelled { return SignalHandler.exitStatus }
      if !json { try session.write(SinkProbeText.line(for: probe, style: session.style)) }
    }
    if json { try session.write { SinkProbeJSON.write(probes, to: &$0) } }
    return probes.map(\.outcome.exitStatus).max() ?? 0
  }
}

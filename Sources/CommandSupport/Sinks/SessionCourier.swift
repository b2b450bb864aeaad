// SPDX-License-Identifier: Apache-2.0
import HostSystem
import LibreKit
package import SampleSync

extension Session {
  /// The courier that carries a sink's requests and logs them. A file sink with the path `-` writes to standard output.
  package func courier(to route: DeliveryRoute, of setup: SinkSetup) -> any Courier {
    let courier = SinkCourier(to: route, timeoutSeconds: setup.timeoutSeconds) { bytes throws(Verdict) in
      if let failure = FileSystem.writeAll(bytes, to: Self.standardOutput) {
        throw .unavailable(reason: "standard output: \(FileSystem.text(failure))")
      }
    }
    return ObservedCourier(courier, to: route) { log($0, sink: setup.name) }
  }
}

extension SinkSetup {
  /// True for a file sink that writes to standard output, which the command itself uses for data.
  package var writesToStandardOutput: Bool { type.name == FileSink.type.name && values["path"] == "-" }
}

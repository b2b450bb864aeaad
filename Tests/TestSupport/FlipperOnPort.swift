// SPDX-License-Identifier: Apache-2.0

/// An emulated Flipper Zero on a pseudo-terminal.
package actor FlipperOnPort {
  package nonisolated let port: PseudoTerminal
  package private(set) var flipper: FlipperEmulator
  /// Whether each byte is written by itself.
  private let inPieces: Bool
  private let thread: EmulatorThread

  package init(_ flipper: FlipperEmulator, inPieces: Bool = false) throws {
    port = try PseudoTerminal()
    self.flipper = flipper
    self.inPieces = inPieces
    thread = EmulatorThread(port.path)
    // Ends with the port.
    Task(executorPreference: thread) { [weak self, received = port.received] in
      for await bytes in received { await self?.take(bytes) }
    }
  }

  /// Changes the emulator, like a person who moves the sensor or the device.
  package func change(_ body: @Sendable (inout FlipperEmulator) -> Void) { body(&flipper) }

  private func take(_ bytes: [UInt8]) {
    let printed = flipper.type(bytes)
    for piece in inPieces ? printed.map({ [$0] }) : [printed] { port.write(piece) }
    if flipper.isUnplugged { port.unplug() }
  }
}

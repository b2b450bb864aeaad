// SPDX-License-Identifier: Apache-2.0

/// Writes every attempt of the inner reader as a `TraceLine`, so put it inside a `RetryingReader`. Unless identifiers
/// are to be shown, it removes the sensor's own part of UIDs and its serial number (`TraceRedaction`), and replaces
/// numbers in the reader's name with `x`. The memory is written unchanged, so a recording is always health data.
package actor TracingReader: ReaderMiddleware {
  package nonisolated let reader: any TagReader
  private let showsIdentifiers: Bool
  private let tool: String
  private let write: @Sendable (String) -> Void
  private var hasBegun = false
  private var noted: ReaderDescription?
  private var redaction = TraceRedaction()

  /// `write` receives one line at a time, without its end; `tool` is the program and its version.
  package init(
    _ reader: any TagReader, showsIdentifiers: Bool, tool: String, write: @escaping @Sendable (String) -> Void
  ) {
    self.reader = reader
    self.showsIdentifiers = showsIdentifiers
    self.tool = tool
    self.write = write
  }

  package func waitForTag(within timeout: Duration) async throws(TransportError) {
    do throws(TransportError) {
      try await reader.waitForTag(within: timeout)
    } catch {
      await noteReader()
      note(.noTap(TraceFailure(error)))
      throw error
    }
    await noteReader()
    note(.tap)
  }

  package func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    let answer = await reader.result(of: request)
    await noteReader()
    note(.exchange(request: request.frame, answer: written(answer, to: request)))
    return try answer.get()
  }

  package func waitForRemoval() async throws(TransportError) {
    try await reader.waitForRemoval()
    note(.removed)
  }

  /// Writes the time of the answers since the last tap. The conversation may continue.
  package func finish(readAt: Instant) { note(.readAt(readAt)) }

  /// Longer answers are cut, so that every line can be read back. No reader's buffer holds as much.
  private static let maximumAnswerLength = 1_024

  private func written(_ answer: Result<[UInt8], TransportError>, to request: ISO15693.Request) -> TraceLine.Answer {
    switch answer {
    case .success(let frame):
      let frame = Array(frame.prefix(Self.maximumAnswerLength))
      return .frame(showsIdentifiers ? frame : redaction.answer(frame, to: request))
    case .failure(let error): return .failure(TraceFailure(error))
    }
  }

  /// Writes changes of the reader's description: its dialect is known only once a tag has answered.
  private func noteReader() async {
    let now = await reader.description
    if now.address != noted?.address { note(.reader(written(now.address))) }
    if now.name != noted?.name { note(.name(written(now.name))) }
    if now.dialect != noted?.dialect { note(.dialect(written(now.dialect))) }
    noted = now
  }

  /// Puts a text on one line of the allowed length.
  private func written(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(500).map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
    let line = String(String.UnicodeScalarView(scalars))
    return showsIdentifiers ? line : TraceRedaction.text(line)
  }

  private func note(_ line: TraceLine) {
    if !hasBegun {
      hasBegun = true
      note(.format)
      note(.tool(tool))
      note(.comment("This is health data: it holds what the sensor measured."))
    }
    write(line.text)
  }
}

/// Removes identifiers from a recording, so that only the memory can identify the sensor.
struct TraceRedaction {
  /// Sensors so far: two sensors in one recording must stay distinguishable.
  private var sensors: [SensorUID] = []

  /// Zeroes the five low bytes of a UID: `E0`, manufacturer and product only name the kind of sensor. The lowest byte
  /// then numbers the recording's sensors from 0 (`SensorUID.isWithheld`). Zeroes the long patch info of the Libre 3
  /// family from byte 15 on, which holds the serial number (read: DiaBLE). An answer too corrupt to locate its UID
  /// keeps its flags.
  mutating func answer(_ frame: [UInt8], to request: ISO15693.Request) -> [UInt8] {
    switch request {
    case .readBlock, .readBlocks, .readWideBlock, .readWideBlocks: return frame
    case .patchInfo: return frame.prefix(Self.flags) + PatchInfo.withoutSerial(Array(frame.dropFirst(Self.flags)))
    case .inventory, .systemInformation:
      switch try? ISO15693.Response(frame, to: request) {
      case .inventory(let uid), .systemInformation(let uid): return withheld(uid, in: frame)
      case .error: return frame
      case .blocks, .patchInfo, nil: return Self.zeroed(frame, from: Self.flags)
      }
    }
  }

  /// Replaces likely serial numbers with `x`: runs of six or more hex digits, at least one of them decimal.
  static func text(_ text: String) -> String {
    var bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let run = bytes[start...].prefix { HexText.nibble($0) != nil }
      if run.count >= 6, run.contains(where: { $0 <= UInt8(ascii: "9") }) {
        bytes.replaceSubrange(run.indices, with: repeatElement(UInt8(ascii: "x"), count: run.count))
      }
      start = run.endIndex + 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let flags = 1
  /// Position after the flags and one more byte: the data format, or the list of parts.
  private static let uid = 2
  /// Number of low UID bytes to remove; the lowest comes first.
  private static let serialInUID = 5

  private mutating func withheld(_ sensor: SensorUID, in frame: [UInt8]) -> [UInt8] {
    if !sensors.contains(sensor) { sensors.append(sensor) }
    var frame = Self.zeroed(frame, from: Self.uid, to: Self.uid + Self.serialInUID)
    frame[Self.uid] = UInt8(clamping: sensors.firstIndex(of: sensor) ?? 0)
    return frame
  }

  private static func zeroed(_ frame: [UInt8], from start: Int, to end: Int = .max) -> [UInt8] {
    frame.enumerated().map { start <= $0 && $0 < end ? 0 : $1 }
  }
}

// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import HistoryFormats
package import TextFormats

/// A file to which samples are appended, one complete `libre.sample/1` a line; or standard output. After a crash the
/// last lines may appear twice, with the same ids.
package struct FileSink: SampleSink {
  package static let type = SinkType(
    name: "file", summary: "a file to which samples are appended, one libre.sample/1 a line; - is standard output",
    parameters: [.init("path", "the file, or -", isPath: true, isReceiver: true)], secret: .none,
    parts: [.trend, .fingerSticks, .imported],
    removal: .impossible("written lines stay; delete those with its id in the file"),
    fields: fields, make: { options throws(SinkOptionError) in try FileSink(options) })

  private static let fields = SentSampleJSON.wholeFields(at: "") + SinkField.own(["reference_id"], in: "")

  /// nil for standard output.
  let path: String?

  init(_ options: SinkOptions) throws(SinkOptionError) {
    let path = try options.required("path")
    guard path == "-" || path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw .bad(key: "path", value: path, allowed: "a path that begins with /, or - for standard output")
    }
    self.path = path == "-" ? nil : path
  }

  package var destination: String { path ?? "standard output" }
  package var route: DeliveryRoute { .lines(file: path) }
  package var maximumBatch: Int { 5_000 }
  package var secrets: [Secret] { [] }

  package func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery {
    var document = NDJSONWriter().document(context.with(unit: .milligramsPerDecilitre))
    return .lines(document.begin() + batch.sent.flatMap { document.add($0.value.entry) } + document.end())
  }

  /// A file answers nothing.
  package func verdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    .accepted(duplicates: nil)
  }

  package func probeVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    .accepted(duplicates: nil)
  }
}

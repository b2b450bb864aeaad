// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats

@testable import SampleSync
@testable import TextFormats

/// A sink with readable requests: a line for each sample, and the batch's key and stage as headers.
struct PlainSink: SampleSink {
  static let address = "https://plain.example"

  var maximumBatch = 1_000
  /// Minutes of the history that the receiver cannot store.
  var unsuitable: Set<Int> = []
  /// Names of the preparation requests, in this order; results are kept in the store, or for the session.
  var kept: [String] = []
  var session: [String] = []

  var destination: String { Self.address }
  var secrets: [Secret] { [] }

  func omission(of entry: HistoryEntry) -> String? {
    guard case .sensor(let stored) = entry, unsuitable.contains(stored.sample.minute.value) else { return nil }
    return "minute \(stored.sample.minute.value) does not fit"
  }

  func preparation(for batch: SampleBatch?, _ memory: SinkState, _ context: ExportContext) -> Preparation? {
    let isKept = kept.first { memory.kept[$0] == nil }
    guard let name = isKept ?? session.first(where: { memory.session[$0] == nil }) else { return nil }
    return Preparation(
      purpose: "ask for \(name)", request: HTTPRequest(.get, "\(Self.address)/\(name)"), example: .status(200)
    ) { (response, memory) throws(Verdict) in
      let verdict = self.verdict(on: response, memory, now: context.now)
      guard case .accepted = verdict else { throw verdict }
      let text = String(decoding: response.body, as: UTF8.self)
      if isKept == nil { memory.session[name] = Secret(text) } else { memory.kept[name] = text }
    }
  }

  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery {
    let lines = batch.entries.map { "\(PlainRequest.Line($0))\n" }.joined()
    let known = kept.map { memory.kept[$0] ?? "" } + session.map { memory.session[$0]?.revealed() ?? "" }
    let headers = [("key", batch.key), ("stage", batch.stage.rawValue), ("known", known.joined(separator: " "))]
    return .http(
      HTTPRequest(.post, Self.address, headers: headers.map { HTTPRequest.Header($0, $1) }, body: Array(lines.utf8)))
  }

  /// Uses the common table; 208 returns the number of duplicates, and 440 means an expired session.
  func verdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    switch response.status {
    case 208: .accepted(duplicates: Int(String(decoding: response.body, as: UTF8.self)))
    case 440: .sessionEnded(reason: "the session is over")
    default: StatusVerdict(hiding: []).verdict(on: response, now: now)
    }
  }
}

/// A request at the receiver: a preparation request, or a batch of a `PlainSink`.
struct PlainRequest: Hashable, Sendable {
  /// A sample as it is sent, and as it is stored.
  struct Line: Hashable, Sendable, CustomStringConvertible {
    let id: String
    let ring: String
    let minute: Int
    let time: Int64
    let value: String

    var description: String { "\(id) \(ring) \(minute) \(time) \(value)" }

    init(_ entry: HistoryEntry) {
      id = entry.id?.description ?? "-"
      time = entry.time?.secondsSince1970 ?? 0
      value = "\(entry.concentration?.milligramsPerDecilitre ?? -1)"
      switch entry {
      case .sensor(let stored): (ring, minute) = (stored.sample.ring.rawValue, stored.sample.minute.value)
      case .imported: (ring, minute) = ("imported", 0)
      case .fingerStick: (ring, minute) = ("finger_stick", 0)
      case .bloodPressure: (ring, minute) = ("blood_pressure", 0)
      }
    }

    init?(_ text: Substring) {
      let words = text.split(separator: " ").map(String.init)
      guard words.count == 5, let minute = Int(words[2]), let time = Int64(words[3]) else { return nil }
      (id, ring, self.minute, self.time, value) = (words[0], words[1], minute, time, words[4])
    }
  }

  let url: String
  let key: String?
  let stage: String?
  let known: String?
  let lines: [Line]

  init(_ request: HTTPRequest) {
    func header(_ name: String) -> String? {
      guard case .plain(let value)? = request.headers.first(where: { $0.name == name })?.value else { return nil }
      return value
    }
    url = request.url
    (key, stage, known) = (header("key"), header("stage"), header("known"))
    lines = String(decoding: request.body, as: UTF8.self).split(separator: "\n").compactMap(Line.init)
  }

  var isBatch: Bool { key != nil }
}

extension HTTPResponse {
  static let ok = HTTPResponse(status: 200)

  static func status(_ status: Int, _ words: String = "", after seconds: Int? = nil) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: seconds.map { [("Retry-After", "\($0)")] } ?? [], body: Array(words.utf8))
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("Server-sent events")
struct GlucoseEventsTests {
  /// Reads a stream as a browser does: fields of lines, an event at each empty line.
  private struct Event: Equatable {
    var id: String?
    var name: String?
    var data: [String] = []
  }

  private func events(_ bytes: [UInt8]) -> (events: [Event], retry: String?, comments: [String]) {
    var (events, retry, comments, event) = ([Event](), String?.none, [String](), Event())
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
      switch line.split(separator: ": ", maxSplits: 1).first {
      case "id": event.id = String(line.dropFirst(4))
      case "event": event.name = String(line.dropFirst(7))
      case "data": event.data.append(String(line.dropFirst(6)))
      case "retry": retry = String(line.dropFirst(7))
      case nil:
        if !event.data.isEmpty { events.append(event) }
        event = Event()
      default: comments.append(String(line))
      }
    }
    return (events, retry, comments)
  }

  private let values = (0..<5).map { ServedStore.value(100 + Double($0), minutesAgo: $0) }
  private func snapshot(_ values: some Sequence<ServedGlucose>, revision: String = "1") -> ServerSnapshot {
    ServedStore(glucose: Array(values), revision: revision).snapshot
  }
  private func ids(_ bytes: [UInt8]) -> [String?] { events(bytes).events.map(\.id) }
  private func id(minutesAgo: Int) -> String {
    "\(ServedStore.now.adding(minutes: -minutesAgo).secondsSince1970 * 1_000)"
  }

  @Test("a new client gets the newest value and the delay before it should reconnect")
  func first() throws {
    let (found, retry, _) = events(
      GlucoseEvents.first(of: snapshot(values), now: ServedStore.now, lastEventID: nil))
    #expect(retry == "3000" && found.count == 1)
    #expect(found[0].id == id(minutesAgo: 0) && found[0].name == "glucose")
    let data = try JSONValue(parsing: found[0].data[0].utf8)
    #expect(data["glucose_mg_dl"] == .number(100) && data["time"].text == "2026-01-01T12:00:00Z")
    #expect(data["direction"] == .null && data["device"].text == "0M00009DHCR")
  }

  @Test(
    "a client that reconnects gets what it missed of a day, oldest first, or the newest if its id is not a past time")
  func resumes() {
    let many = (0..<3_000).map { ServedStore.value(100, minutesAgo: $0) }
    let rows: [(String?, [Int])] = [
      (nil, [0]), (id(minutesAgo: 3), [2, 1, 0]), (id(minutesAgo: 0), []), ("", [0]), ("x", [0]), ("-", [0]),
      ("99999999999999", [0]), ("0", Array((0..<1_440).reversed())),
    ]
    for (lastEventID, minutes) in rows {
      let bytes = GlucoseEvents.first(of: snapshot(many), now: ServedStore.now, lastEventID: lastEventID)
      #expect(ids(bytes) == minutes.map(id), "\(lastEventID ?? "a new client")")
    }
  }

  @Test("each new value is an event, in the order of time")
  func changes() {
    let bytes = GlucoseEvents.changes(from: snapshot(values.dropFirst(2)), to: snapshot(values, revision: "2"))
    #expect(ids(bytes) == [1, 0].map(id))
    #expect(ids(GlucoseEvents.changes(from: snapshot([]), to: snapshot(values, revision: "2"))).count == 5)
  }

  @Test("a change without a new value is sent without an id, so that a client keeps its position")
  func change() {
    let bytes = GlucoseEvents.changes(from: snapshot(values), to: snapshot(values.dropFirst(), revision: "a\"b"))
    #expect(events(bytes).events == [Event(id: nil, name: "change", data: [#"{"revision":"a\"b"}"#])])
    #expect(GlucoseEvents.changes(from: snapshot(values), to: snapshot(values)).isEmpty)
  }

  @Test("no text can start a new field or end an event")
  func lines() {
    let event = ServerEvent(id: "1\n\ndata: x\0", name: "a\r\nb", data: "one\ntwo\r\nid: 3\rfour")
    #expect(
      String(decoding: event.bytes, as: UTF8.self)
        == "id: 1data: x\nevent: ab\ndata: one\ndata: two\ndata: id: 3\ndata: four\n\n")
    let (found, _, comments) = events(ServerEvent.comment("a\n\nid: 4"))
    #expect(found.isEmpty && comments == [": aid: 4"])
  }

  @Test("the answer stays open, is not cached, and sends a comment while there is no event")
  func endpoint() throws {
    let request = ServerRequest(path: ["events"], headers: ["last-event-id": id(minutesAgo: 1)])
    let answer = try #require(try EventsEndpoint().answer(request, ServedStore(glucose: values).context))
    #expect(answer.contentType.hasPrefix("text/event-stream") && answer.header("Cache-Control") == "no-store")
    #expect(ids(answer.body) == [id(minutesAgo: 0)])
    let updates = try #require(answer.updates)
    #expect(events(updates.keepAlive).events.isEmpty && events(updates.keepAlive).comments.count == 1)
    #expect(ids(updates.bytes(snapshot([]), snapshot(values, revision: "2"))).count == 5)
    #expect(try EventsEndpoint().answer(ServerRequest(path: ["event"]), ServedStore().context) == nil)
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import LibreKit
import SensorHistory
import TextFormats

/// The live page, with all that changes in ``parts`` (GlucoseServer/LivePageAndMetrics, "The page").
struct LivePage {
  let view: LiveView

  var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <meta name="referrer" content="no-referrer">
    <link rel="icon" href="data:,">
    <title>Glucose</title>
    <noscript><meta http-equiv="refresh" content="60"></noscript>
    <style>\(LivePageStyle.css)</style>
    </head>
    <body data-unit="\(view.unit.rawValue)" data-places="\(view.unit.places)" data-hours="\(view.hours)" \
    data-old-after="\(LatestValue.staleMinutes)">
    <p id="banner" hidden></p>
    \(alerts)
    <main>
    \(now)
    <section id="recent" aria-labelledby="recent-title">
    <div class="head"><h2 id="recent-title">Last hours</h2>
    <nav aria-label="Length of the curve">\(spans)</nav></div>
    \(curve)
    </section>
    <div class="tiles">
    \(today)
    \(sensor)
    \(sinks)
    </div>
    </main>
    <footer>
    <p><a class="keep" href="report">Report of 14 days</a> <a class="keep" href="latest.json">Last reading as JSON</a> \
    <a class="keep" href="?unit=\(otherUnit.rawValue)&amp;hours=\(view.hours)">Show \(otherUnit.rawValue)</a></p>
    <p><button id="sound" type="button" hidden>Sound for alerts</button> <span id="sounding"></span></p>
    <p id="connection">This page loads itself again every minute.</p>
    <p>\(Markup.text(Program.disclaimer))</p>
    </footer>
    <div id="tip" hidden></div>
    <div id="live" class="hidden" role="status"></div>
    <script>\(LivePageScript.javascript)</script>
    </body>
    </html>

    """
  }

  var parts: String { [alerts, now, curve, today, sensor, sinks].joined(separator: "\n") }

  /// `default-src 'none'`, and hashes of the style and the script that stand in the page.
  static let policy = ContentPolicy(style: LivePageStyle.css, script: LivePageScript.javascript)

  private var otherUnit: GlucoseUnit {
    view.unit == .milligramsPerDecilitre ? .millimolesPerLitre : .milligramsPerDecilitre
  }

  private var spans: String {
    LiveView.spans.map { hours in
      let current = hours == view.hours ? #" aria-current="true""# : ""
      return #"<a class="keep" href="?hours=\#(hours)&amp;unit=\#(view.unit.rawValue)"\#(current) "#
        + #"data-hours="\#(hours)"><span class="hidden">Last </span>\#(hours) h</a>"#
    }.joined(separator: " ")
  }

  /// A screen reader says what appears here.
  private var alerts: String {
    let rows = view.snapshot.alerts.filter { $0.isCurrent(at: view.now) }.map { alert in
      """
      <p data-alert="\(Markup.text(alert.rule)) \(alert.at.milliseconds)" data-urgency="\(alert.words.urgency)" \
      data-lasts="\(alert.lasts)"><b>\(Markup.text(alert.words.title))</b> \(Markup.text(alert.words.text)) \
      <span class="told">· told <span data-ago="\(alert.at.milliseconds)">\
      \(DurationText.ago(minutes: view.now.minutes(since: alert.at)))</span></span></p>
      """
    }
    return #"<div id="alerts" role="alert"\#(rows.isEmpty ? " hidden" : "")>\#(rows.joined(separator: "\n"))</div>"#
  }

  private var now: String {
    guard let newest = view.newest, let age = view.ageMinutes else {
      return """
        <section id="now" data-now="\(view.now.milliseconds)" data-level="none" class="is-old">
        <h1>Glucose</h1>
        <p class="none">No value yet.</p>
        <p class="trust">Read a sensor with <code>libre read</code>, or import a history with <code>libre import</code>.</p>
        </section>
        """
    }
    let range = view.range ?? .target
    let arrow = newest.direction.flatMap { $0 == .notComputable ? nil : $0.arrow }
    let trend = [view.direction, newest.delta.map { "\(view.shown(change: $0)) in 5 min" }].compactMap(\.self)
      .map { #"<span class="fresh">\#($0) ·</span> "# }.joined()
    return """
      <section id="now" data-now="\(view.now.milliseconds)" data-time="\(newest.time.milliseconds)" \
      data-level="\(range.kind)" data-value="\(view.unit.shown(newest.concentration))" \
      data-words="\(view.direction ?? "")"\(view.isOld ? #" class="is-old""# : "")>
      <h1>Glucose</h1>
      <p class="value"><span class="number">\(view.unit.shown(newest.concentration))</span>\
      \(arrow.map { #"<span class="arrow fresh" aria-hidden="true">\#($0)</span>"# } ?? "") \
      <span class="unit">\(view.unit.rawValue)</span></p>
      <p class="level"><span class="pill \(range.kind) fresh">\(range.name)</span><span class="pill old">Old value</span></p>
      <p class="facts">\(trend)<span>\(otherUnit.shown(newest.concentration)) \(otherUnit.rawValue)</span></p>
      <p class="age"><span data-ago="\(newest.time.milliseconds)">\(DurationText.ago(minutes: age))</span>, \
      <time datetime="\(newest.time.rfc3339)">\(view.moment(newest.time))</time></p>
      <p class="warning old">This value is old: it says nothing about glucose now. Read the sensor to get a new one.</p>
      <p class="trust">\(Markup.text(view.trust.joined(separator: " ")))</p>
      </section>
      """
  }

  private var curve: String {
    let (points, span) = view.curve
    let pictures = RecentCurve(points, span: span, clock: view.clock, unit: view.unit).html
    return #"<figure id="curve">\#(pictures ?? "<p>No values in the last \(view.hours) hours.</p>")</figure>"#
  }

  private var today: String {
    guard let (ranges, minutes) = view.today else {
      return tile("today", "Today", "<p>No values today yet.</p>")
    }
    let shares: [(range: GlucoseRange, percent: Double)] = [
      (.veryLow, ranges.veryLow), (.low, ranges.low), (.target, ranges.target), (.high, ranges.high),
      (.veryHigh, ranges.veryHigh),
    ]
    var left = 0.0
    let bars = shares.map { share in
      defer { left += share.percent }
      return
        #"<rect class="\#(share.range.kind)" x="\#(DecimalText.shortest(left, places: 2))" width="\#(DecimalText.shortest(share.percent, places: 2))" height="8"/>"#
    }
    let rows = shares.reversed().filter { $0.percent > 0 || $0.range == .target }.map { share in
      #"<div><dt><span class="swatch \#(share.range.kind)"></span>\#(share.range.name) "#
        + #"<span class="soft">\#(share.range.words(view.unit))</span></dt>"#
        + "<dd>\(Markup.text(PercentText.whole(share.percent)))</dd></div>"
    }
    return tile(
      "today", "Today",
      """
      <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">\(bars.joined())</svg>
      <dl>\(rows.joined())</dl>
      <p class="soft">Of \(DurationText.of(minutes: minutes)) with values since midnight.</p>
      """)
  }

  private var sensor: String {
    guard let sensor = view.sensor else {
      return tile("sensor", "Sensor", "<p>No sensor was read yet.</p>")
    }
    var rows = [
      ("Serial number", Markup.text(sensor.serial)), ("State", SensorCondition.words(sensor.state(at: view.now))),
    ]
    var bar = ""
    if let start = sensor.facts.activatedAt {
      let end = sensor.facts.expiresAt
      let isOver = end.map { $0 <= view.now } ?? false
      if !isOver { rows.append(("Age", DurationText.of(minutes: max(0, view.now.minutes(since: start))))) }
      if let end, end > start {
        let (length, age) = (end.minutes(since: start), view.now.minutes(since: start))
        let distance =
          isOver
          ? DurationText.ago(minutes: view.now.minutes(since: end))
          : "in \(DurationText.of(minutes: end.minutes(since: view.now)))"
        rows.append((isOver ? "Ended" : "Ends", "\(view.moment(end)), \(distance)"))
        bar = """
          <progress aria-label="Share of the sensor's life that is over" max="\(length)" value="\(max(0, min(age, length)))">\
          </progress>
          """
      }
    }
    if let read = sensor.facts.lastReadAt {
      let age = DurationText.ago(minutes: view.now.minutes(since: read))
      rows.append(("Last read", #"<span data-ago="\#(read.milliseconds)">\#(age)</span>"#))
    }
    return tile("sensor", "Sensor", "\(bar)\n\(list(rows))")
  }

  private var sinks: String {
    let rows = view.snapshot.sinks.map { sink in
      var words = [
        sink.queued > 0 ? "\(sink.queued) queued" : nil,
        sink.parked > 0 ? "\(sink.parked) refused by the receiver" : nil, sink.problem,
      ].compactMap(\.self)
      if words.isEmpty { words = ["up to date"] }
      return (Markup.text(sink.name), Markup.text(words.joined(separator: ", ")))
    }
    return tile("sinks", "Sinks", rows.isEmpty ? "<p>No receiver is configured.</p>" : list(rows))
  }

  private func tile(_ id: String, _ title: String, _ content: String) -> String {
    #"<section id="\#(id)" aria-labelledby="\#(id)-title"><h2 id="\#(id)-title">\#(title)</h2>"#
      + "\n\(content)\n</section>"
  }

  private func list(_ rows: [(String, String)]) -> String {
    "<dl>\(rows.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }.joined())</dl>"
  }
}

/// Style of the live page. Value and curve stand side by side from the width on at which the longest facts about the
/// value ("falling very fast · −23 in 5 min · 14.7 mmol/L") fit on one line of their card.
enum LivePageStyle {
  static var css: String {
    """
    :root{color-scheme:light;\(Palette.variables(\.light))}
    @media (prefers-color-scheme:dark){:root{color-scheme:dark;\(Palette.variables(\.dark))}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%}
    body{margin:0 auto;padding:16px;max-width:2600px;background:var(--page);color:var(--text);
    font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans","DejaVu Sans",sans-serif;
    font-variant-numeric:tabular-nums;overflow-wrap:break-word}
    main{display:grid;gap:16px;grid-template-columns:minmax(0,1fr)}
    section{background:var(--card);border:1px solid var(--rule);border-radius:14px;padding:16px;min-width:0}
    h1,h2{margin:0;font-size:1em;font-weight:600;color:var(--soft)}
    p{margin:0 0 8px}
    section>:last-child,figure p{margin-bottom:0}
    .soft,.age,.trust,footer{color:var(--soft)}
    .value{display:flex;align-items:baseline;flex-wrap:wrap;gap:0 .15em;font-size:clamp(88px,25vw,104px);line-height:1.1;
    font-weight:600;letter-spacing:-.03em;margin:4px 0 8px}
    .arrow{font-weight:400}
    .unit{font-size:clamp(20px,1.8vw,44px);font-weight:400;letter-spacing:0;color:var(--soft)}
    .none{font-size:32px}
    .facts{font-size:1.15em}
    .facts span{white-space:nowrap}
    .pill{display:inline-block;border-radius:99px;padding:2px 14px;font-weight:600}
    .pill.old{background:var(--warning);color:var(--warningText)}
    .veryLow{background-color:var(--veryLow);color:var(--onVeryLow);fill:var(--veryLow)}
    .low{background-color:var(--low);color:var(--onLow);fill:var(--low)}
    .within{background-color:var(--within);color:var(--onWithin);fill:var(--within)}
    .high{background-color:var(--high);color:var(--onHigh);fill:var(--high)}
    .veryHigh{background-color:var(--veryHigh);color:var(--onVeryHigh);fill:var(--veryHigh)}
    .is-old .fresh,section:not(.is-old) .old{display:none}
    .is-old .number{color:var(--soft);font-weight:400}
    .warning,#banner{background:var(--warning);color:var(--warningText);border-radius:10px;padding:10px 14px}
    #banner{position:sticky;top:8px;z-index:1;margin:0 0 16px;font-weight:600}
    #banner[hidden],#tip[hidden],#alerts[hidden],#sound[hidden]{display:none}
    #alerts p{background:var(--card);border:2px solid var(--highLine);border-radius:10px;padding:10px 14px;margin-bottom:16px}
    #alerts [data-urgency="2"]{background:var(--warning);color:var(--warningText)}
    button{font:inherit;padding:8px 14px;border-radius:8px;border:1px solid var(--rule);background:var(--card);color:var(--text)}
    .head{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:8px;margin-bottom:8px}
    nav{display:flex;gap:4px}
    a{color:var(--withinLine)}
    nav a{display:inline-block;min-width:44px;padding:8px 10px;border-radius:8px;text-align:center;text-decoration:none;
    color:var(--text);border:1px solid var(--rule)}
    nav a[aria-current]{background:var(--text);color:var(--card);font-weight:600}
    figure{margin:0;position:relative}
    #curve svg{display:block;width:100%;height:auto;touch-action:pan-y;border-radius:6px}
    svg:focus{outline:none}
    svg:focus-visible,a:focus-visible,button:focus-visible{outline:3px solid var(--withinLine);outline-offset:2px}
    .wide{display:none!important}
    .narrow .odd{display:none}
    #curve text{font-size:12px}
    .below{fill:var(--lowLine);fill-opacity:.1}
    .above{fill:var(--highLine);fill-opacity:.1}
    .cursor{stroke:var(--text);stroke-width:1;fill:none;pointer-events:none}
    #tip{position:absolute;left:0;top:0;z-index:2;pointer-events:none;background:var(--text);color:var(--card);
    border-radius:8px;padding:6px 10px;font-size:14px;line-height:1.4;white-space:nowrap}
    #tip b{display:block}
    .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    .tiles{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,260px),1fr))}
    .tiles h2{margin-bottom:8px}
    dl{margin:0 0 8px}
    dl div{display:flex;justify-content:space-between;gap:12px;padding:3px 0}
    dt{flex:none;max-width:60%;overflow-wrap:anywhere}
    dd{margin:0;text-align:right;min-width:0;overflow-wrap:anywhere}
    .swatch{display:inline-block;width:12px;height:12px;border-radius:3px;margin-right:8px}
    .bar,progress{display:block;width:100%;height:1em;border-radius:5px;margin-bottom:10px}
    progress{appearance:none;border:0;overflow:hidden;background:var(--rule);height:.6em}
    progress::-webkit-progress-bar{background:var(--rule)}
    progress::-webkit-progress-value{background:var(--inner)}
    progress::-moz-progress-bar{background:var(--inner)}
    footer{margin-top:16px;font-size:.9em}
    footer a{display:inline-block;padding:6px 16px 6px 0}
    \(ChartStyle.css(\.variable))
    @media (min-width:700px){
    .wide{display:block!important}
    .narrow{display:none!important}
    #curve text{font-size:13px}
    }
    @media (min-width:1200px){
    body{padding:24px;font-size:clamp(16px,1.1vw,28px)}
    main{gap:24px;grid-template-columns:minmax(0,2fr) minmax(0,3fr)}
    .tiles{grid-column:1/-1;gap:24px}
    section{padding:24px}
    .value{font-size:clamp(64px,7vw,250px)}
    .facts{font-size:clamp(1em,1.4vw,36px)}
    }
    """
  }
}

// SPDX-License-Identifier: Apache-2.0
import GlucoseReport

/// Style of the live page, for a phone and a wall display, light and dark. Value and curve stand side by side from the
/// width on at which the longest facts about the value ("falling very fast · −23 in 5 min · 14.7 mmol/L") fit on one
/// line of their card. In a narrower window such a line may break between two facts, never between a number and its
/// unit.
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
    #banner[hidden],#tip[hidden]{display:none}
    .head{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:8px;margin-bottom:8px}
    nav{display:flex;gap:4px}
    a{color:var(--withinLine)}
    nav a{display:inline-block;min-width:44px;padding:8px 10px;border-radius:8px;text-align:center;text-decoration:none;
    color:var(--text);border:1px solid var(--rule)}
    nav a[aria-current]{background:var(--text);color:var(--card);font-weight:600}
    figure{margin:0;position:relative}
    #curve svg{display:block;width:100%;height:auto;touch-action:pan-y;border-radius:6px}
    svg:focus{outline:none}
    svg:focus-visible,a:focus-visible{outline:3px solid var(--withinLine);outline-offset:2px}
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

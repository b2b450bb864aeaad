// SPDX-License-Identifier: Apache-2.0

/// Styles of the page for screens, wide or narrow, light or dark, and for paper.
enum PageStyle {
  static var css: String {
    """
    :root{color-scheme:light;\(Palette.variables(\.light))}
    @media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;\(Palette.variables(\.dark))}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--page);color:var(--text);line-height:1.5;
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans","DejaVu Sans",sans-serif;
    -webkit-text-size-adjust:100%;overflow-wrap:break-word}
    bdi,li,header p,.facts dd{overflow-wrap:anywhere}
    header,main{max-width:1120px;margin:0 auto;padding:0 24px}
    header{padding-top:40px}
    h1{font-size:30px;line-height:1.2;letter-spacing:-.02em;margin:0 0 4px}
    h2{font-size:19px;line-height:1.3;letter-spacing:-.01em;margin:0 0 4px}
    h3{font-size:14px;margin:28px 0 8px}
    p{margin:0 0 12px;max-width:80ch}
    header p::first-letter{text-transform:uppercase}
    .soft,figcaption,header p{color:var(--soft)}
    section{background:var(--card);border:1px solid var(--rule);border-radius:14px;padding:24px;margin:20px 0}
    section>:last-child{margin-bottom:0}
    .warning{background:var(--warning);color:var(--warningText);border-radius:10px;padding:10px 14px;margin:12px 0;
    max-width:none}
    .numbers{display:grid;grid-template-columns:repeat(4,1fr);gap:1px;margin:16px 0 24px;
    border:1px solid var(--rule);border-radius:10px;overflow:hidden}
    .numbers div{padding:12px 16px;box-shadow:0 0 0 1px var(--rule)}
    dt{color:var(--soft);font-size:13px}
    dd{margin:0;font-variant-numeric:tabular-nums}
    .numbers dd:nth-of-type(1){font-size:26px;line-height:1.25;font-weight:600;letter-spacing:-.02em}
    .numbers dd+dd{font-size:13px;color:var(--soft)}
    .unit{font-size:14px;font-weight:400;letter-spacing:0;color:var(--soft)}
    .bar{display:flex;height:44px;border-radius:10px;overflow:hidden;gap:2px;margin:8px 0 12px;font-size:13px;
    font-weight:600}
    .bar span{min-width:3px;display:flex;align-items:center;justify-content:center;white-space:nowrap;overflow:hidden}
    .swatch{display:inline-block;width:14px;height:14px;border-radius:3px;vertical-align:-2px;margin-right:8px}
    .veryLow{background-color:var(--veryLow);color:var(--onVeryLow)}
    .low{background-color:var(--low);color:var(--onLow)}
    .within{background-color:var(--within);color:var(--onWithin)}
    .high{background-color:var(--high);color:var(--onHigh)}
    .veryHigh{background-color:var(--veryHigh);color:var(--onVeryHigh)}
    .bar b{background-color:inherit;padding:0 5px;border-radius:4px}
    .swatch.low,.bar .low{background-image:repeating-linear-gradient(45deg,#0000 0 3px,#fff7 3px 5px)}
    .swatch.veryLow,.bar .veryLow{background-image:repeating-linear-gradient(-45deg,#0000 0 2px,#fff9 2px 4px)}
    .swatch.veryHigh,.bar .veryHigh{background-image:repeating-linear-gradient(90deg,#0000 0 3px,#0005 3px 5px)}
    .wide{overflow-x:auto;margin:8px 0}
    table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:14px}
    th,td{text-align:right;padding:6px 12px;border-bottom:1px solid var(--rule);vertical-align:baseline}
    th:first-child,td:first-child,.words{text-align:left}
    th:first-child,td:first-child{padding-left:0}
    th:last-child,td:last-child{padding-right:0}
    tbody tr:last-child>*{border-bottom:0}
    thead th{color:var(--soft);font-weight:500;font-size:13px;white-space:nowrap}
    tbody th{font-weight:500}
    td{white-space:nowrap}
    td.words{white-space:normal}
    tbody th .soft{font-weight:400;white-space:nowrap}
    .met,.missed{white-space:nowrap}
    .columns{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:0 40px}
    .met::before,.missed::before{font-weight:700;margin-right:5px}
    .met::before{content:"✓";color:var(--withinLine)}
    .missed::before{content:"✕";color:var(--lowLine)}
    figure{margin:12px 0 0;position:relative}
    figcaption{font-size:13px}
    figcaption b{color:var(--text);margin-right:4px}
    figcaption div{font-variant-numeric:tabular-nums}
    svg{display:block;width:100%;height:auto;touch-action:pan-y;border-radius:6px}
    svg:focus{outline:none}
    svg:focus-visible,summary:focus-visible{outline:2px solid var(--withinLine);outline-offset:2px}
    .days{display:grid;grid-template-columns:repeat(auto-fill,minmax(290px,1fr));gap:20px 24px;margin-top:12px}
    .days figure{margin:0}
    .flag{color:var(--warningText);background:var(--warning);border-radius:5px;padding:0 6px;white-space:nowrap}
    details{margin-top:16px}
    summary{cursor:pointer;font-weight:500;width:max-content;max-width:100%;border-radius:4px}
    .key{display:flex;flex-wrap:wrap;gap:4px 20px;margin-top:8px;font-size:13px}
    .key i{display:inline-block;width:22px;height:10px;border-radius:2px;margin-right:6px}
    .key .k-median{height:3px;background:var(--text);vertical-align:3px}
    .key .k-inner{background:var(--inner)}
    .key .k-outer{background:var(--outer)}
    .key .k-target{height:0;border-top:2px dashed var(--limit);vertical-align:3px}
    .key .k-stick{width:9px;height:9px;border:2px solid var(--text);border-radius:0;rotate:45deg;margin:0 9px 0 3px}
    #tip{position:absolute;pointer-events:none;background:var(--text);color:var(--card);border-radius:8px;z-index:2;
    padding:6px 10px;font-size:13px;line-height:1.4;white-space:nowrap;font-variant-numeric:tabular-nums;left:0;top:0}
    #tip b{display:block}
    .cursor{stroke:var(--text);stroke-width:1;fill:none;pointer-events:none}
    .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    \(ChartStyle.css(\.variable))
    .facts div{display:grid;grid-template-columns:120px 1fr;gap:12px;padding:4px 0}
    .facts{margin:0;font-size:14px}
    @media (max-width:900px){.columns{grid-template-columns:minmax(0,1fr)}}
    @media (max-width:640px){
    header,main{padding:0 14px}
    header{padding-top:24px}
    h1{font-size:25px}
    section{padding:16px;border-radius:12px}
    .numbers{grid-template-columns:1fr 1fr}
    .bar{font-size:11px}
    .bar b{padding:0 2px}
    .optional,svg .end,.agp .odd,.time .odd{display:none}
    .agp text,.time text{font-size:25px}
    .agp .median{stroke-width:5}
    .time .line{stroke-width:4}
    .time .dots{stroke-width:9}
    .time .sticks{stroke-width:4}
    #agp figure,#timeline figure{margin-inline:-14px}
    #agp figcaption,#timeline figcaption{padding:0 14px}
    th,td{padding:6px 5px}
    }
    @media print{
    @page{size:A4;margin:14mm 13mm}
    body{font-size:10.5pt;background:none;print-color-adjust:exact;-webkit-print-color-adjust:exact}
    header,main{max-width:none;padding:0}
    section{border:0;border-radius:0;padding:0;margin:0 0 18px}
    figure,tr,.numbers,.columns .wide,.bar,.warning{break-inside:avoid}
    #agp,#timeline{break-inside:avoid}
    h2,h3,section>.soft{break-after:avoid}
    .days figcaption{font-size:11px}
    .days{grid-template-columns:1fr 1fr 1fr;gap:10px 14px}
    .day text{font-size:13px}
    .numbers div{padding:8px 12px}
    th,td{padding:3px 10px}
    h3{margin-top:16px}
    .wide{overflow:visible}
    .agp text,.time text{font-size:13px}
    details:not([open]),#tip,.cursor{display:none}
    }
    """
  }
}

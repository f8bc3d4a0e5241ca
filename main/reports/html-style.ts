import { FONT_FACES } from './html-fonts.ts'

/** Colours in light and dark, with the names of the screen's theme, which the timeline uses. */
const COLOURS: readonly (readonly [name: string, light: string, dark: string])[] = [
  ['bg', '#f3f6f7', '#0b1014'],
  ['card', '#ffffff', '#141c22'],
  ['sunken', '#e9eef0', '#0a0f12'],
  ['line', '#d5dfe3', '#223039'],
  ['line-strong', '#73858f', '#62757f'],
  ['ink', '#10191e', '#e8eef1'],
  ['dim', '#4a5b65', '#9fb0b9'],
  ['accent', '#0b7268', '#2dd4bf'],
  ['accent-ground', '#d8f1ed', '#10332f'],
  ['moving', '#1a5fd0', '#6ba6ff'],
  ['failed', '#b92b2b', '#ff7d7d'],
  ['failed-ground', '#fce6e5', '#3a1a1c'],
  ['waits', '#8a5200', '#f5b445'],
  ['waits-ground', '#fbefd6', '#33280f'],
  ['maintenance', '#6637c4', '#b79cff'],
  ['verified', '#136a40', '#45d08a'],
  ['verified-ground', '#ddf3e6', '#10301f'],
  ['rest', '#58686f', '#8797a0'],
  ['act-live_migrate', '#1a5fd0', '#6ba6ff'],
  ['act-ignore', '#58686f', '#8797a0'],
]

/** The type of the screen. */
const WORDS = '"Inter Variable", system-ui, sans-serif'
const MONO = '"JetBrains Mono Variable", ui-monospace, monospace'

/** The style sheet of a report. At the bottom of every printed page: `foot` at the left, `zone` in the middle, the number of the page at the right. */
export function reportStyle(foot: string, zone: string): string {
  return `
${FONT_FACES}
:root { color-scheme: light; ${colours(1)} }
@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; ${colours(2)} } }
${SHEET}
@page {
  size: A4;
  margin: 15mm 14mm 18mm;
  @bottom-left { content: ${cssText(foot)}; font: 8pt ${WORDS}; color: #4a5b65; }
  @bottom-center { content: ${cssText(zone)}; font: 8pt ${WORDS}; color: #4a5b65; }
  @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 8pt ${WORDS}; color: #4a5b65; }
}
`
}

function colours(value: 1 | 2): string {
  return COLOURS.map(colour => `--${colour[0]}: ${colour[value]};`).join(' ')
}

/** Any text as a CSS string. Everything but letters and digits is escaped, so that nothing ends the string or the style element. */
function cssText(text: string): string {
  const escaped = Array.from(text, sign =>
    /^[A-Za-z0-9 ]$/.test(sign) ? sign : `\\${(sign.codePointAt(0) ?? 32).toString(16)} `,
  )
  return `"${escaped.join('')}"`
}

const SHEET = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  max-width: 1120px; margin: 0 auto; padding: 24px 28px 48px;
  background: var(--bg); color: var(--ink);
  font: 14px/1.45 ${WORDS};
  font-variant-numeric: tabular-nums;
  print-color-adjust: exact; -webkit-print-color-adjust: exact;
}
h1, h2, h3, p, dl, dd, ul { margin: 0; }
h1 { font-size: 26px; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 0 0 10px; font-size: 18px; }
h3 { margin: 18px 0 6px; font-size: 14px; }
a { color: var(--accent); }
code { font: 0.92em ${MONO}; overflow-wrap: anywhere; }
.quiet { color: var(--dim); }
.prose { white-space: pre-wrap; overflow-wrap: anywhere; }

.cover, section[id] { margin: 0 0 16px; padding: 20px 22px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.cover > * + * { margin-top: 14px; }
.cover > h1 { margin-top: 2px; }
.kicker { color: var(--dim); font-size: 13px; }
.headline { font-size: 17px; line-height: 1.5; }
.headline .badge { font-size: 15px; padding: 2px 10px; margin-right: 4px; }
.banner { padding: 10px 14px; border: 1px solid; border-left-width: 5px; border-radius: 6px; overflow-wrap: anywhere; }
.banner.alarm { background: var(--failed-ground); border-color: var(--failed); }
.banner.caution { background: var(--waits-ground); border-color: var(--waits); }
.banner.water { background: var(--accent-ground); border-color: var(--accent); }
.banner a { color: inherit; }
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 8px; }
.tiles > div { display: flex; flex-direction: column-reverse; padding: 8px 12px; background: var(--sunken); border-radius: 6px; border-left: 4px solid var(--line-strong); }
.tiles > div.alarm { border-left-color: var(--failed); background: var(--failed-ground); }
.tiles > div.caution { border-left-color: var(--waits); background: var(--waits-ground); }
.tiles dt { color: var(--dim); font-size: 12px; }
.tiles dd { font-size: 20px; font-weight: 600; line-height: 1.3; }
.lines { padding-left: 20px; }
.lines li + li { margin-top: 4px; }
.facts { display: grid; grid-template-columns: 1fr 1fr; gap: 2px 28px; border-top: 1px solid var(--line); padding-top: 12px; }
.facts > div { display: grid; grid-template-columns: 132px 1fr; gap: 8px; padding: 2px 0; }
.facts > .wide { grid-column: 1 / -1; }
.facts.hashes { grid-template-columns: 1fr; border: 0; margin: 10px 0; padding: 0; }
.facts.hashes > div { grid-template-columns: 190px 1fr; }
.facts dt { color: var(--dim); }
.facts dd { overflow-wrap: anywhere; }
.facts dd .badge { margin-left: 6px; }

nav { margin: 0 0 16px; padding: 0 4px; font-size: 13px; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; list-style: none; }

.badge { display: inline-block; padding: 0 6px; border: 1px solid; border-radius: 4px; font-weight: 600; font-size: 0.93em; }
.badge.good { color: var(--verified); background: var(--verified-ground); }
.badge.caution { color: var(--waits); background: var(--waits-ground); }
.badge.alarm { color: var(--failed); background: var(--failed-ground); }
.badge.water { color: var(--accent); background: var(--accent-ground); }
.badge.quiet { color: var(--dim); background: var(--sunken); }
.arrow { color: var(--dim); }
.utc, .below { display: block; font-size: 0.88em; font-weight: 400; }
.utc { color: var(--dim); }

.scroll { overflow-x: auto; margin: 8px 0 0; }
.scroll + .scroll { margin-top: 18px; }
table { width: 100%; border-collapse: collapse; font-size: 13px; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: 5px 10px 5px 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); overflow-wrap: break-word; }
#instances th, #instances td { overflow-wrap: anywhere; }
thead th { border-top: 0; border-bottom: 2px solid var(--line-strong); font-size: 12px; overflow-wrap: normal; vertical-align: bottom; }
tbody th { font-weight: 600; }
time { white-space: nowrap; }
.facts time { white-space: normal; }
.facts .utc { display: inline-block; white-space: nowrap; }
.badge { overflow-wrap: normal; }
.figure, .nowrap { white-space: nowrap; }
.figure { text-align: right; }
thead .figure { white-space: normal; }
.figure + th:not(.figure), .figure + td:not(.figure) { padding-left: 14px; }
tr.group th { padding: 8px 10px 4px; background: var(--sunken); }
tr.more td { border-top: 0; padding-top: 0; padding-left: 14px; }
tr.more ul { padding-left: 18px; }
#instances table { table-layout: fixed; }
#instances thead th { width: 16%; }
#instances thead th:nth-child(1) { width: 28%; }
#instances thead th:nth-child(3) { width: 19%; }
#instances thead th:nth-child(4) { width: 15%; }
#instances thead th:nth-child(5) { width: 12%; }
#instances thead th:nth-child(6) { width: 10%; }
#instances .arrow + strong { display: block; }
#instances .below { line-height: 1.3; }
#instances code { font-size: 11px; }
footer { color: var(--dim); font-size: 12px; overflow-wrap: anywhere; }

.tlf-part + .tlf-part { margin-top: 14px; }
.tlf-legend { display: flex; flex-wrap: wrap; gap: 4px 14px; margin: 6px 0; padding: 0; list-style: none; font-size: 12px; }
.tlf-legend li { display: flex; align-items: center; gap: 5px; }

@media (max-width: 720px) {
  body { padding: 12px; }
  .tiles { grid-template-columns: 1fr 1fr; }
  .facts { grid-template-columns: 1fr; }
  .facts.hashes > div { grid-template-columns: 1fr; }
}

@media print {
  body { max-width: none; padding: 0; background: none; font-size: 9.5pt; }
  .cover, section[id] { margin: 0; padding: 0; background: none; border: 0; border-radius: 0; }
  section[id] { margin-top: 15pt; }
  .tlf:has(.tlf-part:only-of-type) { break-inside: avoid; }
  #proof { break-inside: avoid; }
  .zone { display: none; }
  #appendix { break-before: page; margin-top: 0; }
  h1 { font-size: 19pt; }
  h2 { font-size: 13.5pt; padding-top: 6pt; border-top: 1.5pt solid var(--line-strong); }
  h3 { font-size: 10.5pt; }
  h1, h2, h3 { break-after: avoid; }
  .facts:not(.hashes) { grid-template-columns: repeat(4, 1fr); gap: 6pt 14pt; }
  .facts:not(.hashes) > div { grid-template-columns: 1fr; gap: 0; align-content: start; }
  .headline { font-size: 12pt; }
  .headline .badge { font-size: 11pt; }
  .cover > * + * { margin-top: 10pt; }
  .tiles dd { font-size: 14pt; }
  .tiles dt, thead th, footer, .kicker, .tlf-legend { font-size: 8.5pt; }
  table { font-size: 8.5pt; }
  nav { margin: 14pt 0 0; font-size: 8.5pt; }
  .scroll { overflow: visible; }
  #instances code { font-size: 6.3pt; }
  thead { display: table-header-group; break-inside: avoid; break-after: avoid; }
  tbody:first-of-type > tr:first-child { break-before: avoid; }
  tr, .banner, .tiles > div, .facts > div, .tlf-part, li { break-inside: avoid; }
  tr.group { break-after: avoid; }
  tr.more { break-before: avoid; }
  p { orphans: 3; widows: 3; }
  a { color: inherit; text-decoration: none; }
  footer { display: none; }
}
`

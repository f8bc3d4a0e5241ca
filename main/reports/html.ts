import { createElement, Fragment, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { jsonParts } from '../../shared/domain/json-parts.ts'
import { atOnce, type Pieces } from '../../shared/domain/pieces.ts'
import type { Report } from '../../shared/domain/report.ts'
import { visibleJson, visibleText } from '../../shared/domain/visible-text.ts'
import { zoneWords } from './cover.ts'
import { reportParts } from './html-page.tsx'
import type { DrawLater } from './html-sections.tsx'
import { reportStyle } from './html-style.ts'
import { timesOf } from './times.ts'

/** A page loads nothing and runs nothing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; base-uri 'none'; form-action 'none'"

/** Id of the element in which a report's page carries the report itself, for `report verify`. */
export const REPORT_ELEMENT_ID = 'lockkeeper-report'

/** A report as one page that needs no network, runs nothing and prints well. The same report always gives the same page. */
export function reportHtml(report: Report): string {
  return atOnce(htmlInPieces(report))
}

export function* htmlInPieces(report: Report): Pieces<string> {
  const page: string[] = []
  for (const part of reportParts(report)) {
    if (typeof part === 'string') page.push(part)
    else yield* drawn(part, page)
  }
  const head = [
    createElement('meta', { key: 'charset', charSet: 'utf-8' }),
    createElement('meta', { key: 'policy', httpEquiv: 'Content-Security-Policy', content: POLICY }),
    createElement('meta', { key: 'size', name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    createElement('meta', { key: 'by', name: 'generator', content: `Lockkeeper ${report.madeBy.version}` }),
    createElement('meta', { key: 'scheme', name: 'color-scheme', content: 'light dark' }),
    createElement('title', { key: 'title' }, report.title),
  ]
  const carried: string[] = []
  for (const part of jsonParts(report)) {
    carried.push(scriptText(part))
    yield
  }
  const foot = `${visibleText(report.title)}   ${report.chain.after.slice(0, 16)}`
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    ...head.map(element => visibleText(renderToStaticMarkup(element))),
    `<style>${reportStyle(foot, zoneWords(timesOf(report).zone))}</style>`,
    '</head>',
    '<body>',
    page.join(''),
    `<script type="application/json" id="${REPORT_ELEMENT_ID}">${carried.join('')}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** The placeholder of rows that are drawn later. Texts of a report are escaped, so none contains it. */
const ROWS_LATER = '<tr data-later="true"></tr>'

/** Draws a part into a page, its rows some at a time. */
function* drawn(part: (later: DrawLater) => ReactNode, page: string[]): Pieces<void> {
  const later: (() => ReactNode)[] = []
  const markup = (node: ReactNode) => visibleText(renderToStaticMarkup(createElement(Fragment, null, node)))
  const frame = part(rows => {
    later.push(rows)
    return createElement('tr', { 'data-later': 'true' })
  })
  const [first = '', ...others] = markup(frame).split(ROWS_LATER)
  page.push(first)
  for (const [at, rest] of others.entries()) {
    yield
    page.push(markup(later[at]?.()), rest)
  }
  yield
}

/** JSON for a script element: escaped so that it neither ends the element nor starts a comment (HTML, 13.1.3). */
function scriptText(json: string): string {
  return visibleJson(json).replaceAll('<', '\\u003c')
}

import { describe, expect, test } from 'vitest'
import { cleanText } from '../../../main/faces/cli/words/clean-text.ts'
import { jsonText } from '../../../main/faces/cli/words/json-text.ts'
import { reportCsv } from '../../../main/reports/csv.ts'
import { reportHtml } from '../../../main/reports/html.ts'
import { reportMarkdown } from '../../../main/reports/markdown.ts'
import { reportJson } from '../../../main/reports/read-report.ts'
import { csvOf } from '../../../shared/domain/csv.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Report } from '../../../shared/domain/report.ts'
import { reportedRun, reportOf } from '../../fixtures/reports/reported-run.ts'

const reported = reportOf(reportedRun().events)
const web = must(reported.instances[0], 'the run has it')
/** A report whose names and texts contain this: instances, title, edits of people. */
const withText = (text: string): Report => ({
  ...reported,
  title: `title ${text}`,
  instances: [{ ...web, name: text, words: text }],
  versions: [{ name: text, value: text }],
})

const FORMATS: readonly (readonly [string, (text: string) => string])[] = [
  ['HTML', text => reportHtml(withText(text))],
  ['Markdown', text => reportMarkdown(withText(text))],
  ['JSON', text => reportJson(withText(text))],
  ['CSV', text => reportCsv(withText(text), 'instances')],
  ['CSV of a list', text => csvOf([[text]])],
  ['terminal', text => cleanText(text)],
  ['terminal with -o json', text => jsonText({ text })],
]

const UNSEEN = [
  ['ESC', '\u001b'],
  ['NUL', '\u0000'],
  ['BEL', '\u0007'],
  ['DEL', '\u007f'],
  ['CSI in one byte', '\u009b'],
  ['next line', '\u0085'],
  ['right-to-left override', '\u202e'],
  ['left-to-right embedding', '\u202a'],
  ['isolate', '\u2066'],
  ['end of isolate', '\u2069'],
  ['Arabic letter mark', '\u061c'],
  ['right-to-left mark', '\u200f'],
  ['zero width space', '\u200b'],
  ['zero width joiner', '\u200d'],
  ['word joiner', '\u2060'],
  ['byte order mark', '\ufeff'],
  ['soft hyphen', '\u00ad'],
  ['line separator', '\u2028'],
  ['paragraph separator', '\u2029'],
  ['tag letter', '\u{e0041}'],
  ['half of a pair', '\ud800'],
] as const

describe.each(FORMATS)('%s', (format, made) => {
  test.each(UNSEEN)('writes out %s', (_name, sign) => {
    const text = made(`vm${sign}gnp`)
    expect(text).not.toContain(sign)
    const code = must(sign.codePointAt(0), 'there is a sign').toString(16)
    const written =
      format.includes('JSON') || format.includes('json')
        ? sign.length === 2
          ? '\\udb40\\udc41'
          : `\\u${code.padStart(4, '0')}`
        : `\\u{${code}}`
    // Markdown's own escapes stand before the braces.
    expect(text.replaceAll(/\\([\\{}])/g, '$1')).toContain(`vm${written}gnp`)
  })

  test('leaves every language as it is', () => {
    const text = 'Grüße é 中文 עברית العربية ελληνικά 🚀'
    expect(made(text)).toContain(text)
  })
})

test('a report in JSON is still the same data', () => {
  const report = withText(UNSEEN.map(([, sign]) => sign).join('x'))
  expect(JSON.parse(reportJson(report))).toEqual(report)
})

test('the page of a report carries the same data for its verification', () => {
  const report = withText('vm\u202e\u001b</script>')
  const json = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(reportHtml(report))?.[1]
  expect(JSON.parse(json ?? '')).toEqual(report)
})

test.each([
  '| a |',
  '[x](http://evil)',
  '<img src=x>',
  '`code`',
  '**bold**',
  '# head',
  '&lt;b&gt;',
  '![i](x)',
  '- item',
  '1. item',
  '~~x~~',
])('Markdown takes %s for text', text => {
  const lines = reportMarkdown(withText(text)).split('\n')
  const at = lines.findIndex(line => line.includes(web.id))
  const plain = must(lines[at], 'the instance has a row').replaceAll(/\\[\\`*_{}[\]<>|#~&]/g, '')
  expect(plain).not.toMatch(/[`*_[\]<>#~&]/)
  expect(plain.match(/\|/g)).toEqual(lines[at - 2]?.match(/\|/g))
})

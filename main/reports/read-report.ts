import { jsonOf } from '../../shared/domain/json.ts'
import { Report } from '../../shared/domain/report.ts'
import { visibleJson } from '../../shared/domain/visible-text.ts'

/** The report for programs and for `report verify`. The same report always gives the same text. */
export function reportJson(report: Report): string {
  return `${visibleJson(JSON.stringify(report, null, 2))}\n`
}

type ReadReport =
  | {
      readonly kind: 'report'
      readonly report: Report
      /** The raw file: an earlier version may use other names. */
      readonly raw: object
      readonly from: 'json' | 'html'
    }
  /** It looks like a report, but something in it was changed. */
  | { readonly kind: 'broken'; readonly words: string }
  | { readonly kind: 'unknown'; readonly words: string }

const SCHEMA = /lockkeeper-report\/(\d+)/
const VERIFIABLE: ReadonlySet<string> = new Set(
  Report.shape.schema.options.flatMap(schema => SCHEMA.exec(schema)?.[1] ?? []),
)

export function readReport(content: string): ReadReport {
  const text = content.replace(/^\uFEFF/, '')
  const isHtml = /^\s*<(?:!doctype html|html)/i.test(text)
  const json = isHtml ? withinHtml(text) : text
  if (json === null) {
    return SCHEMA.test(text) || text.includes('lockkeeper-report')
      ? {
          kind: 'broken',
          words: 'This page looks like a report of Lockkeeper, but the report in it is missing or cut off.',
        }
      : { kind: 'unknown', words: NOT_OURS }
  }
  const raw = jsonOf(json)
  const version = SCHEMA.exec(json)?.[1]
  if (raw === undefined) {
    return version === undefined
      ? { kind: 'unknown', words: NOT_OURS }
      : {
          kind: 'broken',
          words: 'This file looks like a report of Lockkeeper, but it is not valid JSON: it was cut off or changed.',
        }
  }
  const twice = repeatedKey(json)
  if (twice !== null && (version !== undefined || looksLikeOurs(raw))) {
    return {
      kind: 'broken',
      words: `This file looks like a report of Lockkeeper, but it was changed: ${JSON.stringify(twice)} is written twice in one part of it, and readers differ in which one counts.`,
    }
  }
  const parsed = Report.safeParse(raw)
  if (parsed.success) return { kind: 'report', report: parsed.data, raw: Object(raw), from: isHtml ? 'html' : 'json' }
  if (version !== undefined && !VERIFIABLE.has(version)) {
    return {
      kind: 'unknown',
      words: `This report has schema ${version}, and this version of Lockkeeper verifies schemas ${[...VERIFIABLE].join(', ')}. Verify it with the version that made it.`,
    }
  }
  if (version === undefined && !looksLikeOurs(raw)) return { kind: 'unknown', words: NOT_OURS }
  const issue = parsed.error.issues[0]
  const where = issue === undefined ? '' : ` (at ${issue.path.map(String).join('.') || 'its top'})`
  return {
    kind: 'broken',
    words: `This file looks like a report of Lockkeeper, but it was changed: a part of it is invalid${where}.`,
  }
}

const NOT_OURS =
  'This file is not a report that can be verified. Give the report as JSON or HTML: CSV, Markdown and PDF carry no proof.'

function withinHtml(text: string): string | null {
  const begin = /<script type="application\/json" id="lockkeeper-report">/.exec(text)
  if (begin === null) return null
  const from = begin.index + begin[0].length
  const to = text.indexOf('</script>', from)
  return to < 0 ? null : text.slice(from, to)
}

/** The change may have hit the schema's name itself. */
function looksLikeOurs(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && 'schema' in raw && 'chain' in raw && 'entries' in raw
}

/** The first duplicate key in valid JSON, in any spelling; null if there is none. A parser takes the last one and a person reads the first. */
export function repeatedKey(json: string): string | null {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (sign === '{') open.push(new Set())
    else if (sign === '[') open.push(null)
    else if (sign === '}' || sign === ']') open.pop()
    else if (sign === '"') {
      const end = stringEnd(json, at)
      const keys = open.at(-1) ?? null
      if (keys !== null && isKey(json, end)) {
        const key: unknown = JSON.parse(json.slice(at, end))
        if (keys.has(String(key))) return String(key)
        keys.add(String(key))
      }
      at = end - 1
    }
  }
  return null
}

function stringEnd(json: string, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

function isKey(json: string, from: number): boolean {
  COLON.lastIndex = from
  return COLON.test(json)
}

const COLON = /[ \t\r\n]*:/y

import { jsonOf } from '../../shared/domain/json.ts'
import { Report } from '../../shared/domain/report.ts'
import { repeatedKey } from './repeated-key.ts'

/** A file that may be a report, as it was read. */
type ReadReport =
  | {
      readonly kind: 'report'
      readonly report: Report
      /** Letter by letter what the file holds: an earlier version may have had other names for the same. */
      readonly raw: object
      readonly from: 'json' | 'html'
    }
  /** It says that it is one, and is not: something in it was changed. */
  | { readonly kind: 'broken'; readonly words: string }
  /** Not a file that can be verified. */
  | { readonly kind: 'unknown'; readonly words: string }

const SCHEMA = /lockkeeper-report\/(\d+)/

/** Reads a report out of a JSON or an HTML file. */
export function readReport(content: string): ReadReport {
  const text = content.replace(/^\uFEFF/, '')
  const isHtml = /^\s*<(?:!doctype html|html)/i.test(text)
  const json = isHtml ? withinHtml(text) : text
  if (json === null) {
    return SCHEMA.test(text) || text.includes('lockkeeper-report')
      ? {
          kind: 'broken',
          words: 'This page is a report of Lockkeeper, but the report within it is missing or cut off.',
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
          words: 'This file is a report of Lockkeeper, but it is cut off or was changed: it is no valid JSON any more.',
        }
  }
  const twice = repeatedKey(json)
  if (twice !== null && (version !== undefined || looksLikeOurs(raw))) {
    return {
      kind: 'broken',
      words: `This file is a report of Lockkeeper, but ${JSON.stringify(twice)} is written twice in one part of it: which of both counts depends on who reads it. It was changed.`,
    }
  }
  const parsed = Report.safeParse(raw)
  if (parsed.success) return { kind: 'report', report: parsed.data, raw: Object(raw), from: isHtml ? 'html' : 'json' }
  if (version !== undefined && version !== '1' && version !== '2') {
    return {
      kind: 'unknown',
      words: `This report is of schema ${version}; this version of Lockkeeper verifies schemas 1 and 2. Verify it with the version that made it.`,
    }
  }
  if (version === undefined && !looksLikeOurs(raw)) return { kind: 'unknown', words: NOT_OURS }
  const issue = parsed.error.issues[0]
  const where = issue === undefined ? '' : ` (at ${issue.path.map(String).join('.') || 'its top'})`
  return {
    kind: 'broken',
    words: `This file is a report of Lockkeeper, but a part of it is not what it has to be${where}: it was changed.`,
  }
}

const NOT_OURS =
  'This is not a report that can be verified. Give a report in format json or html; CSV, Markdown and PDF carry no proof.'

/** The report that a page carries for `report verify`; null: there is none. */
function withinHtml(text: string): string | null {
  const begin = /<script type="application\/json" id="lockkeeper-report">/.exec(text)
  if (begin === null) return null
  const from = begin.index + begin[0].length
  const to = text.indexOf('</script>', from)
  return to < 0 ? null : text.slice(from, to)
}

/** Somebody may have changed the very letters that say what it is. */
function looksLikeOurs(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && 'schema' in raw && 'chain' in raw && 'entries' in raw
}

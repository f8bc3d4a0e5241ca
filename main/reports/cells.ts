import { durationWords, estimateWords } from '../../shared/grammar/durations.ts'
import type { Tone } from '../../shared/words/report-outcomes.ts'
import type { ReportTimes } from './times.ts'

/** One value of a report. Programs read the value (CSV); people read its words (HTML and Markdown). */
export type Cell =
  /** Unknown or empty: programs read nothing, people read `words`. */
  | { readonly kind: 'none'; readonly words: string }
  /** `name`: the name of a node, a pod or an instance; `id`: an identifier, set as code; `prose`: text that keeps its lines. */
  | { readonly kind: 'text'; readonly text: string; readonly as: 'plain' | 'name' | 'id' | 'prose' }
  | { readonly kind: 'number'; readonly value: number; readonly words: string }
  | { readonly kind: 'time'; readonly at: string }
  | { readonly kind: 'length'; readonly ms: number }
  | { readonly kind: 'span'; readonly lowMs: number; readonly highMs: number }
  | { readonly kind: 'code'; readonly code: string; readonly words: string; readonly tone: Tone | null }
  | { readonly kind: 'list'; readonly items: readonly string[] }

function none(words = ''): Cell {
  return { kind: 'none', words }
}

export function text(given: string | null, otherwise = '', as: 'plain' | 'name' | 'id' | 'prose' = 'plain'): Cell {
  return given === null || given === '' ? none(otherwise) : { kind: 'text', text: given, as }
}

export function name(given: string, otherwise = ''): Cell {
  return text(given, otherwise, 'name')
}

export function id(given: string | null, otherwise = ''): Cell {
  return text(given, otherwise, 'id')
}

export function number(value: number | null, otherwise = ''): Cell {
  return value === null ? none(otherwise) : { kind: 'number', value, words: String(value) }
}

/** A number that is usually 0: then people read nothing. */
export function some(value: number | null, otherwise = ''): Cell {
  return value === 0 ? { kind: 'number', value, words: '' } : number(value, otherwise)
}

export function time(at: string | null, otherwise = ''): Cell {
  return at === null ? none(otherwise) : { kind: 'time', at }
}

export function length(ms: number | null, otherwise = ''): Cell {
  return ms === null ? none(otherwise) : { kind: 'length', ms }
}

export function span(given: { readonly lowMs: number; readonly highMs: number } | null): Cell {
  return given === null ? none('unknown') : { kind: 'span', lowMs: given.lowMs, highMs: given.highMs }
}

/** A code with its words; with a tone it is a badge. */
export function code(given: string, words: string, tone: Tone | null = null): Cell {
  return { kind: 'code', code: given, words, tone }
}

export function runCell(runId: string, { length: amount }: readonly unknown[]): Cell {
  return amount === 1 ? code(runId, '') : id(runId)
}

export function list(items: readonly string[]): Cell {
  return items.length === 0 ? none() : { kind: 'list', items }
}

/** What people read: the one place that formats times, lengths and numbers of a report. */
export function cellWords(cell: Cell, times: ReportTimes): string {
  switch (cell.kind) {
    case 'none':
    case 'number':
    case 'code':
      return cell.words
    case 'text':
      return cell.text
    case 'time':
      return times.stamp(cell.at).zoned
    case 'length':
      return durationWords(cell.ms)
    case 'span':
      return estimateWords(cell.lowMs, cell.highMs)
    case 'list':
      return cell.items.join('; ')
  }
}

/** What programs read: instants as ISO, lengths in milliseconds, codes as they are. */
export function cellValue(cell: Cell): string | number | null {
  switch (cell.kind) {
    case 'none':
      return null
    case 'text':
      return cell.text
    case 'number':
      return cell.value
    case 'time':
      return cell.at
    case 'length':
      return cell.ms
    case 'span':
      return `${cell.lowMs} ${cell.highMs}`
    case 'code':
      return cell.code
    case 'list':
      return cell.items.join('; ')
  }
}

export function isFigure(cell: Cell | undefined): boolean {
  const kind = cell?.kind
  return kind === 'number' || kind === 'length' || kind === 'span'
}

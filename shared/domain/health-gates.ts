import { z } from 'zod'

/** How a value is compared with a threshold. */
const Comparison = z.enum(['>', '>=', '<', '<=', '==', '!='])

/** A question to Prometheus before a node is taken: nothing is begun while any value of its answer compares so. */
export const HealthGate = z.strictObject({
  name: z.string().min(1).max(80),
  /** PromQL, asked as an instant query. */
  query: z.string().min(1).max(4_000),
  stopsWhen: z.strictObject({ comparison: Comparison, threshold: z.number() }),
})
export type HealthGate = z.infer<typeof HealthGate>

/** One value of an answer. */
export interface GateValue {
  /** Its labels as Prometheus writes them; empty: none. */
  readonly labels: string
  readonly value: number
}

/** One value that decided; as text, since Prometheus knows numbers that JSON does not. */
type DecidingValue = { readonly labels: string; readonly value: string }

/** Why an answer tells nothing. */
export type GateDoubt =
  | { readonly code: 'NoValue' }
  | { readonly code: 'NoNumber'; readonly of: DecidingValue }
  /** It is of another moment: its clock and ours are apart. */
  | { readonly code: 'OtherMoment'; readonly at: string }
  | { readonly code: 'NotWhole'; readonly cause: string }

/** What a gate says of its answer. `cannot-tell` is not healthy. */
export type GateVerdict =
  | {
      readonly kind: 'healthy'
      readonly first: DecidingValue
      readonly total: number
      readonly stopsWhen: HealthGate['stopsWhen']
    }
  | {
      readonly kind: 'stops'
      readonly worst: DecidingValue
      readonly more: number
      readonly stopsWhen: HealthGate['stopsWhen']
    }
  | { readonly kind: 'cannot-tell'; readonly why: GateDoubt }

/** A clock that is off by more than this tells a past that is not this moment. */
const FRESH_MS = 5 * 60_000

/** Judges an answer: no value, or one that is no number, tells nothing, and so does an answer about another moment, or one that may not be whole. */
export function judgeGate(
  { stopsWhen }: HealthGate,
  answer: { readonly values: readonly GateValue[]; readonly atMs: number; readonly doubts: readonly string[] },
  nowMs: number,
): GateVerdict {
  const { values, atMs, doubts } = answer
  const stopping = values.filter(({ value }) => compares(value, stopsWhen))
  const [worst] = stopping
  if (worst !== undefined) return { kind: 'stops', worst: deciding(worst), more: stopping.length - 1, stopsWhen }
  const [first] = values
  if (first === undefined) return { kind: 'cannot-tell', why: { code: 'NoValue' } }
  const none = values.find(({ value }) => Number.isNaN(value))
  if (none !== undefined) return { kind: 'cannot-tell', why: { code: 'NoNumber', of: deciding(none) } }
  if (Math.abs(nowMs - atMs) > FRESH_MS) {
    return { kind: 'cannot-tell', why: { code: 'OtherMoment', at: new Date(atMs).toISOString() } }
  }
  const [doubt] = doubts
  // What is missing may be what would have stopped.
  if (doubt !== undefined) return { kind: 'cannot-tell', why: { code: 'NotWhole', cause: doubt } }
  return { kind: 'healthy', first: deciding(first), total: values.length, stopsWhen }
}

/** `> 0.01`. */
export function stopWords({ comparison, threshold }: HealthGate['stopsWhen']): string {
  return `${comparison} ${threshold}`
}

/** Reads `> 0.01`; null: it is none. */
export function readStopsWhen(text: string): HealthGate['stopsWhen'] | null {
  const parts = /^\s*(>=|<=|==|!=|>|<)\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*$/i.exec(text)
  const comparison = Comparison.safeParse(parts?.[1])
  return comparison.success ? { comparison: comparison.data, threshold: Number(parts?.[2]) } : null
}

function deciding({ labels, value }: GateValue): DecidingValue {
  return { labels, value: String(value) }
}

/** NaN compares with nothing. */
function compares(value: number, { comparison, threshold }: HealthGate['stopsWhen']): boolean {
  if (Number.isNaN(value)) return false
  switch (comparison) {
    case '>':
      return value > threshold
    case '>=':
      return value >= threshold
    case '<':
      return value < threshold
    case '<=':
      return value <= threshold
    case '==':
      return value === threshold
    case '!=':
      return value !== threshold
  }
}

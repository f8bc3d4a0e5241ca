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

/** What a gate says of its answer. `cannot-tell` is not healthy. */
type GateVerdict =
  | { readonly kind: 'healthy'; readonly words: string }
  | { readonly kind: 'stops'; readonly words: string }
  | { readonly kind: 'cannot-tell'; readonly words: string }

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
  const worst = stopping[0]
  if (worst !== undefined) {
    const more = stopping.length === 1 ? '' : ` and ${stopping.length - 1} more`
    return { kind: 'stops', words: `it is ${valueText(worst)}${more}, and ${stopWords(stopsWhen)} stops` }
  }
  if (values.length === 0) return { kind: 'cannot-tell', words: 'the answer holds no value at all' }
  const none = values.find(({ value }) => Number.isNaN(value))
  if (none !== undefined) return { kind: 'cannot-tell', words: `${valueText(none)} is no number` }
  if (Math.abs(nowMs - atMs) > FRESH_MS) {
    return {
      kind: 'cannot-tell',
      words: `the answer is of ${new Date(atMs).toISOString()}: its clock and ours are apart`,
    }
  }
  const [doubt] = doubts
  // What is missing may be what would have stopped.
  if (doubt !== undefined)
    return { kind: 'cannot-tell', words: `the answer may not be whole: ${doubt.replace(/\.$/, '')}` }
  const [first] = values
  const also = values.length === 1 ? '' : `, ${values.length} values`
  return {
    kind: 'healthy',
    words: `${first === undefined ? '' : valueText(first)}${also}, and ${stopWords(stopsWhen)} would stop`,
  }
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

function valueText({ labels, value }: GateValue): string {
  return labels === '' ? String(value) : `${value} of ${labels}`
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

import { z } from 'zod'

const Comparison = z.enum(['>', '>=', '<', '<=', '==', '!='])

/** A Prometheus query before a node is taken out: nothing starts while any value matches `stopsWhen`. */
export const HealthGate = z.strictObject({
  name: z.string().min(1).max(80),
  /** PromQL, run as an instant query. */
  query: z.string().min(1).max(4_000),
  stopsWhen: z.strictObject({ comparison: Comparison, threshold: z.number() }),
})
export type HealthGate = z.infer<typeof HealthGate>

export interface GateValue {
  /** The labels in Prometheus' notation; empty if there are no labels. */
  readonly labels: string
  readonly value: number
}

/** The value as text, because Prometheus has numbers that JSON lacks. */
type DecidingValue = { readonly labels: string; readonly value: string }

export type GateDoubt =
  | { readonly code: 'NoValue' }
  | { readonly code: 'NoNumber'; readonly of: DecidingValue }
  /** Its time differs from ours: the clocks disagree. */
  | { readonly code: 'OtherMoment'; readonly at: string }
  | { readonly code: 'NotWhole'; readonly cause: string }

/** `cannot-tell` is not healthy. */
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

const FRESH_MS = 5 * 60_000

/** No value, one that is not a number, another time or a possibly incomplete answer decides nothing. */
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
  const notANumber = values.find(({ value }) => Number.isNaN(value))
  if (notANumber !== undefined) return { kind: 'cannot-tell', why: { code: 'NoNumber', of: deciding(notANumber) } }
  if (Math.abs(nowMs - atMs) > FRESH_MS) {
    return { kind: 'cannot-tell', why: { code: 'OtherMoment', at: new Date(atMs).toISOString() } }
  }
  const [doubt] = doubts
  // A missing value may be the one that would stop the run.
  if (doubt !== undefined) return { kind: 'cannot-tell', why: { code: 'NotWhole', cause: doubt } }
  return { kind: 'healthy', first: deciding(first), total: values.length, stopsWhen }
}

export function stopWords({ comparison, threshold }: HealthGate['stopsWhen']): string {
  return `${comparison} ${threshold}`
}

/** Reads `> 0.01`; null if invalid. */
export function readStopsWhen(text: string): HealthGate['stopsWhen'] | null {
  const parts = /^\s*(>=|<=|==|!=|>|<)\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*$/i.exec(text)
  const comparison = Comparison.safeParse(parts?.[1])
  return comparison.success ? { comparison: comparison.data, threshold: Number(parts?.[2]) } : null
}

function deciding({ labels, value }: GateValue): DecidingValue {
  return { labels, value: String(value) }
}

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

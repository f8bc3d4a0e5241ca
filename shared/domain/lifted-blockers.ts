import { z } from 'zod'
import type { Json } from './json.ts'
import type { Blocker } from './step-answers.ts'

/** A blocker that an override lifted when the operator read the plan: what it was about, without its figures and texts. */
export const LiftedBlocker = z.strictObject({ stepId: z.string(), code: z.string(), names: z.array(z.string()) })
export type LiftedBlocker = z.infer<typeof LiftedBlocker>

export function liftedBlocker(stepId: string, { code, values }: Blocker): LiftedBlocker {
  return { stepId, code, names: [...new Set(namesIn(values ?? {}))].sort() }
}

/** Marks a blocker that the confirmed plan did not show: an override that was given before is not for it. */
export function markedSince(stepId: string, blocker: Blocker, lifted: readonly LiftedBlocker[] | undefined): Blocker {
  // A plan of an earlier version does not say what it showed.
  if (lifted === undefined || blocker.sinceConfirmed === true) return blocker
  const { code, names } = liftedBlocker(stepId, blocker)
  const isShown = lifted.some(
    shown => shown.stepId === stepId && shown.code === code && names.every(name => shown.names.includes(name)),
  )
  return isShown ? blocker : { ...blocker, sinceConfirmed: true }
}

/** Values that say how a thing is and not which: they change while the same thing blocks. */
const NOT_NAMES: ReadonlySet<string> = new Set([
  'cause',
  'detail',
  'health',
  'message',
  'note',
  'output',
  'phase',
  'reason',
  'remedy',
  'since',
  'state',
  'status',
])

function namesIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, held]) => (NOT_NAMES.has(key) ? [] : namesIn(held)))
}

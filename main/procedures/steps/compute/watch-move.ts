import type { Failure } from '../../../../shared/domain/failure.ts'
import { UNDER_WAY } from '../../../../shared/domain/migration-under-way.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { INSTANCE_SETTLED } from '../../../../shared/domain/run-facts.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import type { Took } from './host-watch.ts'
import type { MoveAnswer, MoveSource } from './move-source.ts'
import { whyReported } from './why.ts'

/** The end of a move is seen late by about 5 % of its duration, at most 2.5 s. */
function lookEveryMs(elapsedMs: number, leastMs = 500): number {
  return Math.min(2_500, Math.max(leastMs, elapsedMs * 0.05))
}

/** The closest looks, and those at the first move. */
const CLOSE_MS = 50
const FIRST_MS = 250

/**
 * When to look again. The moves before it tell when the end is likely: there is nothing to see before, and around that time the looks at quick moves are close,
 * so that the next move starts at once.
 */
export function nextLookMs(lastMs: number, beganMs: number, elapsedMs: number, usual: Took | null): number {
  if (usual === null) return lastMs + lookEveryMs(elapsedMs, FIRST_MS)
  const likelyFromMs = usual.fromMs * 0.85
  if (elapsedMs < likelyFromMs) return Math.min(beganMs + likelyFromMs, lastMs + 2_500)
  const isLikely = elapsedMs <= usual.toMs * 1.25
  return (
    lastMs +
    (isLikely ? Math.min(lookEveryMs(elapsedMs), Math.max(CLOSE_MS, likelyFromMs * 0.03)) : lookEveryMs(elapsedMs))
  )
}

/** What one read shows: the state of a moving instance, no answer this time, or the end of following it. */
export type MoveLook =
  | { readonly kind: 'seen'; readonly now: Instance }
  | { readonly kind: 'unseen' }
  | { readonly kind: 'over'; readonly answer: MoveAnswer }

/** An instance that was deleted meanwhile needs nothing more. */
export async function readInstance(
  instance: Pick<Instance, 'id' | 'name'>,
  ctx: MaintenanceContext,
): Promise<MoveLook> {
  const subject = instanceSubject(instance.id)
  const read = await ctx.retryTransient(subject, () => cloudOf(ctx).getInstance(instance.id, ctx.signal))
  if (read.ok) return { kind: 'seen', now: read.value }
  if (read.failure.code === 'not-found') {
    const why = whyReported(found('DeletedWhileMoving'))
    ctx.report(INSTANCE_SETTLED, subject, { name: instance.name, ...why, became: 'deleted' })
    return { kind: 'over', answer: { kind: 'settled' } }
  }
  if (ctx.signal.aborted || read.failure.code === 'aborted') return { kind: 'unseen' }
  return { kind: 'over', answer: { kind: 'hopeless', failure: read.failure } }
}

/** One read with the records since the request, newest first, and the instance that Nova moves before it. */
type Look = MoveLook & {
  readonly records: readonly Migration[]
  readonly behind: Pick<Instance, 'id' | 'name'> | null
}

/** Follows one instance through the shared reads of its host. */
interface MoveWatch {
  elapsedMs(): number
  /** How long the move took, once it was seen to have arrived. */
  took(): Took
  look(): Promise<Look>
}

/** Follows an instance in the list of its host. One that is missing there, or whose record says it ended, is read on its own: both need proof. */
export function watchMove(
  instance: Pick<Instance, 'id' | 'name'>,
  source: MoveSource,
  ctx: MaintenanceContext,
): MoveWatch {
  const { watch } = source
  const since = watch.begun()
  const beganMs = ctx.clock.monotonicMs()
  const known = source.knownMigrationIds.get(instance.id) ?? 0
  const elapsedMs = () => ctx.clock.monotonicMs() - beganMs
  let underWayMs = 0
  return {
    elapsedMs,
    took: () => ({ fromMs: underWayMs, toMs: elapsedMs() }),
    look: async () => {
      const seen = await watch.next(lastMs => nextLookMs(lastMs, beganMs, elapsedMs(), watch.usual()))
      if (ctx.signal.aborted) return { kind: 'unseen', records: [], behind: null }
      if (!seen.ok) return { kind: 'over', answer: cannotLook(seen.failure, ctx), records: [], behind: null }
      const { listed, instances, beganMs: beganLookMs } = seen.value
      const records = seen.value.recordsOf(instance.id).filter(({ id }) => id > known)
      const isQueued = records[0] !== undefined && QUEUED.has(records[0].status)
      const first = isQueued ? seen.value.carriedOut().find(({ instanceId }) => instanceId !== instance.id) : undefined
      const behind =
        first === undefined
          ? null
          : { id: first.instanceId, name: instances.get(first.instanceId)?.name ?? first.instanceId }
      const mayHaveEnded = records[0] !== undefined && !UNDER_WAY.has(records[0].status)
      if (listed <= since && !mayHaveEnded) return { kind: 'unseen', records, behind }
      const now = listed > since ? instances.get(instance.id) : undefined
      if (now !== undefined && !mayHaveEnded) {
        underWayMs = beganLookMs - beganMs
        return { kind: 'seen', now, records, behind }
      }
      return { ...(await readInstance(instance, ctx)), records, behind }
    },
  }
}

const QUEUED: ReadonlySet<string> = new Set(['accepted', 'queued'])

/** The run stops, or nothing can be done without this answer. */
export function cannotLook(failure: Failure, ctx: MaintenanceContext): MoveAnswer {
  return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'hopeless', failure }
}

import type { Failure } from '../../../../shared/domain/failure.ts'
import { UNDER_WAY } from '../../../../shared/domain/migration-under-way.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { INSTANCE_SETTLED } from '../../../../shared/domain/run-facts.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import type { MoveAnswer, MoveSource } from './move-source.ts'
import { whyReported } from './why.ts'

/** Interval between looks at a host for one instance: its end is seen late by about 5 % of the duration, at most 2.5 s. */
function lookEveryMs(elapsedMs: number): number {
  return Math.min(2_500, Math.max(500, elapsedMs * 0.05))
}

/** A look at a moving instance: its current state, no answer this time, or the end of following it. */
export type MoveLook =
  | { readonly kind: 'seen'; readonly now: Instance }
  | { readonly kind: 'unseen' }
  | { readonly kind: 'over'; readonly answer: MoveAnswer }

/** Reads one moving instance; one that was deleted meanwhile needs nothing more. */
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

/** A look at a moving instance, with its records since the request, newest first, and the instance that Nova moves before it. */
type Look = MoveLook & {
  readonly records: readonly Migration[]
  readonly behind: Pick<Instance, 'id' | 'name'> | null
}

/** Looks at one moving instance through the shared looks at its host. */
interface MoveWatch {
  /** How long it is followed. */
  elapsedMs(): number
  look(): Promise<Look>
}

/**
 * Starts to follow an instance. It is seen in the list of its host, read after this call. One that is no longer in the list, or whose record says
 * that its migration ended, is read on its own: absence and success both need proof.
 */
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
  return {
    elapsedMs,
    look: async () => {
      const seen = await watch.next(lookEveryMs(elapsedMs()))
      if (ctx.signal.aborted) return { kind: 'unseen', records: [], behind: null }
      if (!seen.ok) return { kind: 'over', answer: cannotLook(seen.failure, ctx), records: [], behind: null }
      const { listed, instances } = seen.value
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
      if (now !== undefined && !mayHaveEnded) return { kind: 'seen', now, records, behind }
      return { ...(await readInstance(instance, ctx)), records, behind }
    },
  }
}

/** Statuses of a migration that has not started. */
const QUEUED: ReadonlySet<string> = new Set(['accepted', 'queued'])

/** The result of a failed look: the run stops, or nothing can be done without it. */
export function cannotLook(failure: Failure, ctx: MaintenanceContext): MoveAnswer {
  return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'hopeless', failure }
}

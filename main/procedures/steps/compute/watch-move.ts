import type { Failure } from '../../../../shared/domain/failure.ts'
import { UNDER_WAY } from '../../../../shared/domain/migration-under-way.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { INSTANCE_SETTLED } from '../../../../shared/domain/run-facts.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import type { MoveAnswer, MoveSource } from './move-source.ts'
import { whyReported } from './why.ts'

/** The end of a move is seen late by about 5 % of its duration, at most 2.5 s. */
function lookEveryMs(elapsedMs: number): number {
  return Math.min(2_500, Math.max(500, elapsedMs * 0.05))
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

/** With its records since the request, newest first, and the instance that Nova moves before it. */
type Look = MoveLook & {
  readonly records: readonly Migration[]
  readonly behind: Pick<Instance, 'id' | 'name'> | null
}

/** Follows one instance through the shared reads of its host. */
interface MoveWatch {
  elapsedMs(): number
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

const QUEUED: ReadonlySet<string> = new Set(['accepted', 'queued'])

/** The run stops, or nothing can be done without this answer. */
export function cannotLook(failure: Failure, ctx: MaintenanceContext): MoveAnswer {
  return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'hopeless', failure }
}

import { minutes } from '../../../../shared/domain/durations.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'

/** Fewer instances are read on their own. */
const WORTH_A_LIST = 3
/** A margin for clocks that differ: ours, and those of the services that write to Nova's database. */
const CLOCKS_APART_MS = minutes(5)

/**
 * Those of these instances that changed since then, as Nova shows them now: one list instead of a request for each. What it does not show is not gone: it has
 * to be read on its own, as after a list that fails.
 */
export async function readChangedOf(
  ids: readonly string[],
  sinceMs: number,
  ctx: Pick<MaintenanceContext, 'world' | 'signal'>,
): Promise<ReadonlyMap<string, Instance>> {
  if (ids.length < WORTH_A_LIST || Number.isNaN(sinceMs)) return new Map()
  const since = new Date(sinceMs - CLOCKS_APART_MS).toISOString().replace(/\.\d+Z$/, 'Z')
  const changed = await cloudOf(ctx).instancesChangedSince(since, ctx.signal)
  if (!changed.ok) return new Map()
  const wanted = new Set(ids)
  return new Map(
    changed.value.items.flatMap(instance =>
      wanted.has(instance.id) && !instance.partial ? [[instance.id, instance] as const] : [],
    ),
  )
}

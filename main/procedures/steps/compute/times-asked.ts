import type { Instance } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'

/** Their names in Nova's log (nova/compute/instance_actions.py). */
export const POWER_ACTS: readonly string[] = ['stop', 'start']

/** How often anyone did this to an instance, by Nova's log: only that shows changes between two reads of the instance. */
export async function timesAsked(
  { id }: Pick<Instance, 'id'>,
  acts: readonly string[],
  ctx: MaintenanceContext,
): Promise<Result<number>> {
  const actions = await ctx.retryTransient(`actions of ${instanceSubject(id)}`, () =>
    cloudOf(ctx).instanceActions(id, ctx.signal),
  )
  return actions.ok ? ok(actions.value.filter(({ action }) => acts.includes(action)).length) : actions
}

import type { Blocker } from '../../../../shared/domain/plan.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { type ClassifiedInstance, instanceLabel, readComputeHost } from './classify-instances.ts'
import { instancesInMotion } from './own-motion.ts'

/** No instance of the host is in ERROR or MIGRATING (seed 004, compute check "Instances status"; forced by --force, domain.md B.1). */
export const instancesQuiet = checkStep({
  kind: 'instances-quiet',
  role: 'compute',
  why: 'An instance in ERROR cannot be moved, one in MIGRATING may be on its way to this very host.',
  title: input => `No instance on ${nodeOf(input)} is in ERROR or MIGRATING`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(`The instances on ${node}`, host.failure)
    const own = instancesInMotion(ctx)
    const blockers = host.value.instances
      .filter(({ instance }) => !own.has(instance.id))
      .flatMap(found => blockerOf(found, host.value.service.host))
    return readyUnless(blockers, `None of the ${host.value.instances.length} instances is in ERROR or MIGRATING.`, {
      warnings: host.value.unreachable,
      evidence: [
        evidence(`instances on ${host.value.service.host}`, ctx.at(), {
          total: host.value.instances.length,
          statuses: Object.fromEntries(host.value.instances.map(({ instance }) => [instance.id, instance.status])),
        }),
      ],
    })
  },
})

function blockerOf({ instance, policy }: ClassifiedInstance, host: string): readonly Blocker[] {
  if (instance.status === 'ERROR' || policy.code === 'instance-in-error') {
    return [
      {
        code: 'instance-in-error',
        message: `Instance ${instanceLabel(instance)} on ${host} is in ERROR.`,
        remedy:
          'Look at its fault (`openstack server show`), mend or delete it; `openstack server set --state active` only when it really runs.',
        override: BY_FORCE,
      },
    ]
  }
  if (instance.status === 'MIGRATING' || policy.code === 'instance-migrating') {
    return [
      {
        code: 'instance-migrating',
        message: `Instance ${instanceLabel(instance)} on ${host} is being migrated already, and not by this run.`,
        remedy:
          'Wait until that migration has finished (`openstack server migration list --server …`), then try again.',
        override: BY_FORCE,
      },
    ]
  }
  return []
}

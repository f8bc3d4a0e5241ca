import { strategyOf } from '../../../../shared/domain/cluster.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { instanceStatus, type StatusBlock } from '../../../../shared/domain/watcher-instance-status.ts'
import { type Fault, fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { readReturning } from '../general/read-verdict.ts'
import { instanceSubject, readComputeHost } from './classify-instances.ts'
import { returnBlockers } from './instances-classified.ts'
import { instancesInMotion } from './own-motion.ts'
import { listedOf, proofBlockers, proveInstances } from './prove-instances.ts'

/** No instance is in ERROR or MIGRATING; the options decide about SHUTOFF (seed 004; shared/domain/watcher-instance-status.ts). */
export const instancesStatus = checkStep({
  kind: 'instances-status',
  role: 'compute',
  ...stepText('instances-status'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(thing('InstancesOnNode', { node }), host.failure)
    const strategy = ctx.options.strategy ?? strategyOf(ctx.world.cluster)
    const own = instancesInMotion(ctx)
    const judged = host.value.instances
      .filter(({ instance }) => !own.has(instance.id))
      .map(({ instance }) => ({
        instance,
        finding: instanceStatus(instance, {
          strategy,
          disableMigration: ctx.options.disableMigration,
          coldMigration: ctx.options.coldMigration,
          excluded: strategy === 'watcher' && ctx.options.excludedInstances.includes(instance.id),
        }),
      }))
    const on = host.value.service.host
    // Where Nova moves them, the check of each instance's policy proves the list.
    const proof = strategy === 'watcher' ? await proveInstances(listedOf(host.value), ctx) : null
    const returning = strategy === 'watcher' ? await readReturning(on, ctx) : null
    const unread = returning?.failures[0]
    if (unread !== undefined) return cannotAsk(thing('MigrationsOfHost', { host: on }), unread)
    const blockers = judged.flatMap(({ instance, finding }) =>
      finding.kind === 'blocks' ? [blocker(faultOf(instance, finding.because, on), BY_FORCE)] : [],
    )
    return readyUnless(
      [
        ...(proof === null ? [] : proofBlockers(proof)),
        ...blockers,
        ...returnBlockers(node, returning?.returning ?? [], own),
      ],
      found('InstancesMovable', { total: host.value.instances.length }),
      {
        warnings: [
          ...host.value.unreachable.map(cause => found('NovaCannotTell', { cause })),
          ...judged.flatMap(({ instance: { name, id }, finding }) =>
            finding.kind === 'noted' ? [found('InstanceNoted', { name, id, note: finding.note })] : [],
          ),
        ],
        // One entry for each instance: two with the same name stay two (docs/domain.md B.1, defect 2).
        evidence: [
          ...(proof === null ? [] : [proof.evidence]),
          ...host.value.instances.map(({ instance }) =>
            evidence(`${instanceSubject(instance.id)} (${instance.name})`, ctx.at(), {
              status: instance.status,
              vmState: instance.vmState,
              taskState: instance.taskState,
            }),
          ),
        ],
      },
    )
  },
})

function faultOf({ name, id }: Pick<Instance, 'name' | 'id'>, because: StatusBlock, host: string): Fault {
  const on = { name, id, host }
  return because.code === 'InstanceBusy'
    ? fault('InstanceBusy', { ...on, task: because.task })
    : fault(because.code, on)
}

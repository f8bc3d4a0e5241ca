import { strategyOf } from '../../../../shared/domain/cluster.ts'
import { instanceStatus } from '../../../../shared/domain/watcher-instance-status.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { instanceLabel, instanceSubject, readComputeHost } from './classify-instances.ts'
import { instancesInMotion } from './own-motion.ts'
import { listedOf, proofBlockers, proveInstances } from './prove-instances.ts'

/**
 * No instance of the host is in ERROR or MIGRATING, and what becomes of those in SHUTOFF was chosen (seed 004, compute role, "Instances
 * status"; the table is in shared/domain/watcher-instance-status.ts).
 */
export const instancesStatus = checkStep({
  kind: 'instances-status',
  role: 'compute',
  why: 'An instance in ERROR cannot be moved, one that migrates is on its way already, and a stopped one moves only when asked for.',
  title: input => `Every instance on ${nodeOf(input)} is in a state in which it can be moved`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(`The instances on ${node}`, host.failure)
    const strategy = ctx.options.strategy ?? strategyOf(ctx.world.cluster)
    const own = instancesInMotion(ctx)
    const found = host.value.instances
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
    // Where Nova moves them, the check of what happens to each instance proves their list.
    const proof = strategy === 'watcher' ? await proveInstances(listedOf(host.value), ctx) : null
    const blockers = found.flatMap(({ instance, finding }) =>
      finding.kind === 'blocks'
        ? [
            {
              code: finding.code,
              message: `Instance ${instanceLabel(instance)} on ${on} ${finding.reason}.`,
              remedy: finding.remedy,
              override: BY_FORCE,
            },
          ]
        : [],
    )
    return readyUnless(
      [...(proof === null ? [] : proofBlockers(proof)), ...blockers],
      `${counted(host.value.instances.length, 'instance')}, none in a state that stands against it.`,
      {
        warnings: [
          ...host.value.unreachable,
          ...found.flatMap(({ instance, finding }) =>
            finding.kind === 'noted' ? [`Instance ${instanceLabel(instance)} ${finding.note}.`] : [],
          ),
        ],
        // One entry an instance: two of one name stay two (docs/domain.md B.1, defect 2).
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

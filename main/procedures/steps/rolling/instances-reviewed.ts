import { HOST_MODE_ANNOTATION } from '../../../../shared/domain/instance-policy.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import { cannotAsk, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import {
  type ClassifiedInstance,
  instanceEffect,
  instanceLabel,
  readComputeHost,
} from '../compute/classify-instances.ts'

/**
 * What the controllers will do with every instance of a host, by its mode and the instances' tags (seed 003 phase 1; docs/domain.md A.5,
 * A.6). Those nobody decided about hold their node's lock when its turn comes; they are listed, not forbidden.
 */
export const instancesReviewed = checkStep({
  kind: 'instances-reviewed',
  role: 'compute',
  why: 'The operator sets annotations on nodes and selects the migration mode for workloads before the update begins.',
  title: input => `Migration mode of ${nodeOf(input)} and of its instances`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(`The instances on ${node}`, host.failure)
    const { instances, service, unreachable } = host.value
    const moves = ctx.options.scope === 'os'
    const mode = host.value.node.annotations[HOST_MODE_ANNOTATION] ?? 'live (default)'
    const unresolved = moves ? instances.filter(isUnresolved) : []
    return ready(
      moves
        ? `Mode ${mode}, ${instances.length} instances, ${unresolved.length} unresolved.`
        : `Scope drain: all ${instances.length} instances stay where they are.`,
      {
        evidence: [
          evidence(`instances on ${service.host}`, ctx.at(), {
            mode,
            total: instances.length,
            unresolved: unresolved.map(({ instance }) => instance.id),
          }),
        ],
        warnings: [
          ...(unresolved.length === 0
            ? []
            : [
                `${node} will wait for ${someOf(unresolved.map(({ instance, policy }) => `${instanceLabel(instance)}: ${policy.reason}`))}. Decide with a mode, a tag, or their owners.`,
              ]),
          ...instances.flatMap(({ instance, policy }) => policy.warnings.map(text => `${instance.name}: ${text}`)),
          ...unreachable,
        ],
        effects: instances.map(found =>
          moves
            ? instanceEffect(found)
            : {
                ...instanceEffect(found),
                action: 'ignore' as const,
                source: 'state' as const,
                reason: 'stays: scope drain moves no instance',
              },
        ),
      },
    )
  },
})

function isUnresolved({ policy }: ClassifiedInstance): boolean {
  return policy.action === 'notify' || policy.action === 'blocked'
}

import { HOST_MODE_ANNOTATION } from '../../../../shared/domain/instance-policy.ts'
import { found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { itemsOf } from '../../../../shared/words/steps/coded.ts'
import { cannotAsk, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { type ClassifiedInstance, instanceEffect, readComputeHost } from '../compute/classify-instances.ts'

/** What the controllers will do with each instance (seed 003; docs/domain.md A.5, A.6). Undecided ones will hold the lock; nothing blocks. */
export const instancesReviewed = checkStep({
  kind: 'instances-reviewed',
  role: 'compute',
  ...stepText('instances-reviewed'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(thing('InstancesOnNode', { node }), host.failure)
    const { instances, service, unreachable } = host.value
    const moves = ctx.options.scope === 'os'
    const mode = host.value.node.annotations[HOST_MODE_ANNOTATION] ?? null
    const unresolved = moves ? instances.filter(isUnresolved) : []
    return ready(
      moves
        ? found('InstancesReviewed', { mode, total: instances.length, undecided: unresolved.length })
        : found('AllInstancesStayByScope', { total: instances.length }),
      {
        evidence: [
          evidence(`instances on ${service.host}`, ctx.at(), {
            mode: mode ?? 'live (default)',
            total: instances.length,
            unresolved: unresolved.map(({ instance }) => instance.id),
          }),
        ],
        warnings: [
          ...(unresolved.length === 0
            ? []
            : [found('NodeWillWaitForInstances', { node, instances: itemsOf(unresolved.map(undecided)) })]),
          ...instances.flatMap(({ instance: { id, name }, policy }) =>
            policy.warnings.map(warning => found('InstanceModeWarning', { id, name, warning })),
          ),
          ...unreachable.map(cause => found('NovaCannotTell', { cause })),
        ],
        effects: instances.map(classified =>
          moves
            ? instanceEffect(classified)
            : {
                ...instanceEffect(classified),
                action: 'ignore' as const,
                source: 'state' as const,
                reason: found('ScopeMovesNone').message,
              },
        ),
      },
    )
  },
})

function undecided({ instance: { id, name }, policy: { code, reason } }: ClassifiedInstance) {
  return { id, name, code, reason }
}

function isUnresolved({ policy }: ClassifiedInstance): boolean {
  return policy.action === 'notify' || policy.action === 'blocked'
}

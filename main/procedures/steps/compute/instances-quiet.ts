import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { type ClassifiedInstance, readComputeHost } from './classify-instances.ts'
import { instancesInMotion } from './own-motion.ts'

/** No instance of the host is in ERROR or MIGRATING (seed 004; overridden by --force, docs/domain.md B.1). */
export const instancesQuiet = checkStep({
  kind: 'instances-quiet',
  role: 'compute',
  ...stepText('instances-quiet'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(thing('InstancesOnNode', { node }), host.failure)
    const own = instancesInMotion(ctx)
    const blockers = host.value.instances
      .filter(({ instance }) => !own.has(instance.id))
      .flatMap(each => blockerOf(each, host.value.service.host))
    return readyUnless(blockers, found('InstancesQuiet', { total: host.value.instances.length }), {
      warnings: host.value.unreachable.map(cause => found('NovaCannotTell', { cause })),
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
  const { name, id, status } = instance
  if (status === 'ERROR' || policy.code === 'instance-in-error') {
    return [blocker(fault('InstanceInError', { name, id, host }), BY_FORCE)]
  }
  if (status === 'MIGRATING' || policy.code === 'instance-migrating') {
    return [blocker(fault('InstanceMigrating', { name, id, host, isOurs: false }), BY_FORCE)]
  }
  return []
}

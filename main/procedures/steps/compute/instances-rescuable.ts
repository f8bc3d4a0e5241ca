import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { labelOf, namesOf } from '../../../../shared/words/steps/coded.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { placeDoubts } from './destinations-exist.ts'
import { countedInstances, listedOf, proofBlockers, proveInstances } from './prove-instances.ts'
import { isRescued, leftOf, type RescuedInstance, readRescue, rescueEffect, whyLeft } from './read-rescue.ts'

/** Instances that Nova can rebuild elsewhere, those that stay and why, and those that would lose their local disk. */
export const instancesRescuable = checkStep({
  kind: 'instances-rescuable',
  role: 'compute',
  ...stepText('instances-rescuable'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const facts = await readRescue(node, ctx)
    if (!facts.ok) return cannotAsk(thing('InstancesOnNode', { node }), facts.failure)
    const { host, instances, unread } = facts.value
    const proof = await proveInstances(listedOf(host), ctx)
    const going = instances.filter(isRescued)
    const left = instances.filter(each => !isRescued(each))
    const losing = going.filter(({ policy }) => policy.kind === 'evacuate' && policy.loses)
    return readyUnless(
      [
        ...proofBlockers(proof),
        ...host.unreachable.map(cause => blocker(fault('InstancesUntold', { host: host.service.host, cause }))),
        ...left.filter(({ policy }) => policy.kind === 'evacuate').map(noPlace),
      ],
      found('RescueForecast', { host: host.service.host, going: going.length, left: left.length }),
      {
        counted: countedInstances(instances.map(({ instance }) => instance)),
        warnings: [
          ...unread,
          ...(losing.length === 0
            ? []
            : [
                found('RescueLosesDisks', {
                  instances: namesOf(losing.map(({ instance }) => labelOf(instance))),
                }),
              ]),
          ...left.filter(({ policy }) => policy.kind === 'stays').map(each => found('StaysOnDeadHost', leftOf(each))),
          ...placeDoubts(going.flatMap(({ instance, place }) => (place === null ? [] : [{ instance, place }]))),
        ],
        evidence: [
          evidence(`instances on ${host.service.host}`, ctx.at(), {
            rescued: going.map(({ instance }) => instance.id),
            left: left.map(each => ({
              id: each.instance.id,
              status: each.instance.status,
              why: whyLeft(each).message,
            })),
            losing: losing.map(({ instance }) => instance.id),
          }),
        ],
        effects: instances.map(rescueEffect),
      },
    )
  },
})

function noPlace({ instance: { name, id }, place }: RescuedInstance): Blocker {
  return blocker(fault('RescueNoDestination', { name, id, note: place?.note ?? null }), BY_FORCE)
}

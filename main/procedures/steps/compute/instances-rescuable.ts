import type { Blocker } from '../../../../shared/domain/plan.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { instanceLabel } from './classify-instances.ts'
import { countedInstances, listedOf, proofBlockers, proveInstances } from './prove-instances.ts'
import { isRescued, type RescuedInstance, readRescue, rescueEffect, whyLeft } from './read-rescue.ts'

/** Which instances of a machine that is off can be rebuilt elsewhere, which stay and why, and which would lose what is on their local disk. */
export const instancesRescuable = checkStep({
  kind: 'instances-rescuable',
  role: 'compute',
  why: 'What cannot be rescued, and what would be lost, has to be known before anything is touched.',
  title: input => `What can be rescued of ${nodeOf(input)}`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const ground = await readRescue(node, ctx)
    if (!ground.ok) return cannotAsk(`The instances on ${node}`, ground.failure)
    const { host, instances, unread } = ground.value
    const proof = await proveInstances(listedOf(host), ctx)
    const going = instances.filter(isRescued)
    const left = instances.filter(found => !isRescued(found))
    const losing = going.filter(({ policy }) => policy.kind === 'evacuate' && policy.loses)
    return readyUnless(
      [
        ...proofBlockers(proof),
        ...host.unreachable.map(
          (words): Blocker => ({
            code: 'cell-down',
            message: `Nova cannot tell every instance on ${host.service.host}: ${words}.`,
            remedy: 'Mend the cell first.',
            override: { kind: 'never', why: 'which instances are there cannot be known' },
          }),
        ),
        ...instances.filter(found => found.policy.kind === 'evacuate' && !isRescued(found)).map(noPlace),
      ],
      `${counted(going.length, 'instance')} of ${host.service.host} to rebuild elsewhere${left.length === 0 ? '' : `, ${left.length} left where ${left.length === 1 ? 'it is' : 'they are'}`}.`,
      {
        counted: countedInstances(instances.map(({ instance }) => instance)),
        warnings: [
          ...unread,
          ...(losing.length === 0
            ? []
            : [`${counted(losing.length, 'instance')} will lose what is on the local disk: ${namesOf(losing)}.`]),
          ...left
            .filter(({ policy }) => policy.kind === 'stays')
            .map(found => `${instanceLabel(found.instance)} stays on the dead host: ${whyLeft(found)}`),
          ...notesOf(going),
        ],
        evidence: [
          evidence(`instances on ${host.service.host}`, ctx.at(), {
            rescued: going.map(({ instance }) => instance.id),
            left: left.map(found => ({ id: found.instance.id, status: found.instance.status, why: whyLeft(found) })),
            losing: losing.map(({ instance }) => instance.id),
          }),
        ],
        effects: instances.map(rescueEffect),
      },
    )
  },
})

function noPlace(found: RescuedInstance): Blocker {
  return {
    code: 'no-destination',
    message: `Instance ${instanceLabel(found.instance)} ${whyLeft(found).replace(/^it /, '')}`,
    remedy:
      'Make room for it on another compute host. With --force the others are rescued and it is left where it is, because Nova would put it into ERROR.',
    override: BY_FORCE,
  }
}

function notesOf(going: readonly RescuedInstance[]): readonly string[] {
  return [...new Set(going.flatMap(({ place }) => place?.note ?? []))]
}

function namesOf(found: readonly RescuedInstance[]): string {
  return someOf(
    found.map(({ instance }) => instanceLabel(instance)),
    20,
  )
}

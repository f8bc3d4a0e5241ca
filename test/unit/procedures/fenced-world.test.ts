import { expect, test } from 'vitest'
import { PORT_ACCESS } from '../../../main/ports/port-access.ts'
import { fencedPort, fencedWorld } from '../../../main/procedures/steps/general/fenced-world.ts'
import type { LeaseGate } from '../../../main/runs/engine/lease-keeper.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { nodeLease } from '../../../shared/domain/lease-name.ts'
import { failed } from '../../../shared/domain/result.ts'
import { moskCloud } from '../../fixtures/procedures/lcm-world.ts'

const ACTING = Object.entries(PORT_ACCESS).flatMap(([port, effects]) =>
  Object.entries(effects)
    .filter(([, effect]) => effect === 'acts')
    .map(([call]) => [port, call] as const),
)

test.each(ACTING)('%s.%s is sent only after the Lease was read', async (port, call) => {
  const sent: string[] = []
  const bare = { [call]: async () => sent.push(call) }
  const effects = { [call]: 'acts' } as const
  const refused = failure('aborted', 'The Lease is not held.')
  const shut = fencedPort(bare, effects, async () => failed(refused))
  expect(await shut[call]?.()).toEqual({ ok: false, failure: refused })
  expect(sent, port).toEqual([])
  await fencedPort(bare, effects, effect => effect())[call]?.()
  expect(sent).toEqual([call])
})

test.each(ACTING)('%s.%s of a run’s world is kept back where the Lease does not hold', async (port, call) => {
  const sent: string[] = []
  const ports = Object.entries(PORT_ACCESS).map(([name, effects]) => [
    name,
    Object.fromEntries(Object.keys(effects).map(each => [each, async () => sent.push(`${name}.${each}`)])),
  ])
  const { lcm } = moskCloud()
  const world = { ...lcm.world, ...Object.fromEntries(ports) }
  const refused = failure('aborted', 'The Lease is not held.')
  const fenced: Readonly<Record<string, unknown>> = { ...fencedWorld(world, async () => failed(refused)) }
  const calls = fenced[port] as Readonly<Record<string, () => Promise<unknown>>>
  expect(await calls[call]?.()).toEqual({ ok: false, failure: refused })
  expect(sent).toEqual([])
})

test.each([
  ['setUnschedulable', ['cmp-1', true]],
  ['drain', ['cmp-1', {}, {}]],
] as const)('kubernetes.%s of a run’s world is given its gate, to ask it before each request', async (call, given) => {
  const gates: unknown[] = []
  const { lcm } = moskCloud()
  const reported = async (...asked: unknown[]) => {
    const more = asked.at(-1)
    gates.push(typeof more === 'object' && more !== null && 'gate' in more ? more.gate : null)
    return failed(failure('aborted', 'Only read.'))
  }
  const gate: LeaseGate = async () => failed(failure('aborted', 'The Lease is not held.'))
  const world = fencedWorld({ ...lcm.world, kubernetes: { ...lcm.world.kubernetes, [call]: reported } }, gate)
  const calls = world.kubernetes as unknown as Readonly<
    Record<string, (...asked: readonly unknown[]) => Promise<unknown>>
  >
  await calls[call]?.(...given)
  expect(gates).toEqual([gate])
})

test('only these calls look after the Lease themselves, or need none', () => {
  const itself = Object.entries(PORT_ACCESS).flatMap(([port, effects]) =>
    Object.entries(effects).flatMap(([call, effect]) => (effect === 'itself' ? [`${port}.${call}`] : [])),
  )
  expect(itself).toEqual([
    'kubernetes.setUnschedulable',
    'kubernetes.drain',
    'kubernetes.leases',
    // Only about this machine.
    'commands.machine',
    'commands.whyNot',
    'commands.look',
    'commands.outputOf',
  ])
})

test('what reads by its name is not fenced, and everything else is', () => {
  const reads =
    /^(list|get|query|review|plan|definitions|servedKinds|objects|status|osds|okToStop|services|running|about|figures|recommended|compute|instances|instance|migrations|closedHosts|serverGroups|hypervisor|aggregates|availability|ports|candidate|volumes|isLease|network|resource|provider|consumers|projects|volumeServices|failoverHosts|recoveries|application|deployment|uidOf|clockSkew|namedObject|namedResource)/
  for (const effects of Object.values(PORT_ACCESS)) {
    for (const [call, effect] of Object.entries(effects)) {
      if (effect !== 'itself') expect([call, effect]).toEqual([call, reads.test(call) ? 'reads' : 'acts'])
    }
  }
})

test('reads and the Lease itself pass while nothing may be sent', async () => {
  const { lcm } = moskCloud()
  const world = fencedWorld(lcm.world, async () => failed(failure('aborted', 'The Lease is not held.')))
  expect((await world.kubernetes.listNodes()).ok).toBe(true)
  expect((await world.kubernetes.leases.holder(nodeLease('cmp-1'))).ok).toBe(true)
  expect((await world.kubernetes.setUnschedulable('cmp-1', true)).ok).toBe(false)
})

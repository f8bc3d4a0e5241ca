import { describe, expect, test } from 'vitest'
import { enableOvn } from '../../../../main/procedures/steps/control/enable-ovn.ts'
import { servicesOfMember } from '../../../../main/procedures/steps/control/microovn-status.ts'
import type { NetworkAgent } from '../../../../shared/domain/openstack.ts'
import { type FakeJuju, fakeJuju, output, UNREACHABLE, unit } from '../../../fixtures/procedures/fake-juju.ts'
import { fakeAgent } from '../../../fixtures/procedures/fake-records.ts'
import { fakeContext, fakeWorld } from '../../../fixtures/procedures/fake-world.ts'

const agent = (host: string, alive: boolean): NetworkAgent => fakeAgent(host, { alive })

/** A MicroOVN of two members; `enable` takes effect unless it is broken. */
function microovn(enabled: readonly string[], broken = false): FakeJuju & { readonly enabled: Set<string> } {
  const on = new Set(enabled)
  const status = () =>
    `MicroOVN deployment summary:\n- n1 (10.0.0.1)\n  Services: ${[...on].join(', ')}\n- n10 (10.0.0.10)\n  Services: central, chassis, switch\nOVN Database summary:\nOVN Northbound: OK (7.3.0)\n`
  const juju = fakeJuju({
    units: [unit('microovn/0', 'n1'), unit('microovn/1', 'n10')],
    commands: (_unit, command) => {
      const service = /^microovn enable (\S+)$/.exec(command)?.[1]
      if (service === undefined) return output(status())
      if (broken) return output('', 1, 'Error: failed to start')
      if (on.has(service)) return output('', 1, 'Error: this service is already enabled')
      on.add(service)
      return output(`Service ${service} enabled\n`)
    },
  })
  return Object.assign(juju, { enabled: on })
}

function setting(juju: FakeJuju | null, agents: NetworkAgent[] = [agent('n1', true)], force = false) {
  const world = fakeWorld({ agents })
  const port = { ...world.port, juju: juju?.port ?? null }
  return fakeContext(Object.assign(world, { port }), {
    options: force ? { overrides: [{ flag: 'force', reason: 'Juju is gone' }] } : {},
  })
}

const input = { node: 'n1' }

describe('OVN of a gateway node is enabled on the way back (docs/domain.md B.1: Sunbeam never applies it)', () => {
  test('what is missing is enabled, the switch before the chassis, and verified', async () => {
    const juju = microovn(['central'])
    const ctx = setting(juju)
    expect(await enableOvn.check?.(input, ctx)).toMatchObject({
      kind: 'ready',
      effects: [{ target: 'microovn switch on n1' }, { target: 'microovn chassis on n1' }],
    })
    expect(await enableOvn.apply?.(input, ctx)).toMatchObject({ kind: 'applied' })
    expect(juju.ran.filter(line => line.includes('enable'))).toEqual([
      'microovn/0: microovn enable switch',
      'microovn/0: microovn enable chassis',
    ])
    expect(await enableOvn.verify?.(input, ctx)).toMatchObject({ kind: 'holds' })
  })

  test('each is announced before it is enabled', async () => {
    const ctx = setting(microovn([]))
    await enableOvn.apply?.(input, ctx)
    expect(ctx.facts.map(({ fact, values }) => [fact, values.service])).toEqual([
      ['ovn-enable-requested', 'switch'],
      ['ovn-enable-requested', 'chassis'],
    ])
  })

  test('enabled already: nothing to do, and nothing is run', async () => {
    const juju = microovn(['chassis', 'switch'])
    expect(await enableOvn.check?.(input, setting(juju))).toMatchObject({ kind: 'done' })
    await enableOvn.apply?.(input, setting(juju))
    expect(juju.ran.some(line => line.includes('enable'))).toBe(false)
  })

  test('MicroOVN refuses: the step fails with what it said', async () => {
    expect(await enableOvn.apply?.(input, setting(microovn([], true)))).toMatchObject({
      kind: 'failed',
      failure: { message: expect.stringContaining('failed to start') },
    })
  })

  test('enabled, but the agent is dead: it does not hold yet', async () => {
    const ctx = setting(microovn(['chassis', 'switch']), [agent('n1', false), agent('n10', true)])
    expect(await enableOvn.verify?.(input, ctx)).toMatchObject({
      kind: 'fails',
      mayStillHold: true,
      reason: expect.stringContaining('OVN Controller Gateway agent'),
    })
  })

  test('an agent of n10 does not belong to n1', async () => {
    const ctx = setting(microovn(['chassis', 'switch']), [agent('n10', true)])
    expect(await enableOvn.verify?.(input, ctx)).toMatchObject({ kind: 'fails' })
  })

  test('without Juju it is only verified, by Neutron', async () => {
    expect(await enableOvn.check?.(input, setting(null))).toMatchObject({ kind: 'ready', effects: [] })
    expect(await enableOvn.apply?.(input, setting(null))).toMatchObject({ kind: 'applied' })
    expect(await enableOvn.verify?.(input, setting(null))).toMatchObject({ kind: 'holds' })
    expect(await enableOvn.verify?.(input, setting(null, [agent('n1', false)]))).toMatchObject({ kind: 'fails' })
  })

  test('Juju does not answer: blocked; with --force it is only verified', async () => {
    const down = fakeJuju({ down: UNREACHABLE })
    expect(await enableOvn.check?.(input, setting(down))).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'OvnNotKnown', override: { flag: 'force' }, passing: { retryAfterMs: 0 } }],
    })
    expect(await enableOvn.apply?.(input, setting(down))).toMatchObject({ kind: 'failed' })
    const forced = setting(down, [agent('n1', true)], true)
    expect(await enableOvn.apply?.(input, forced)).toMatchObject({ kind: 'applied' })
    expect(await enableOvn.verify?.(input, forced)).toMatchObject({ kind: 'holds' })
  })

  test('no MicroOVN unit on the node: nothing to enable', async () => {
    const juju = fakeJuju({ units: [unit('microovn/1', 'n10')] })
    expect(await enableOvn.check?.(input, setting(juju, []))).toMatchObject({ kind: 'done' })
    expect(await enableOvn.verify?.(input, setting(juju, []))).toMatchObject({ kind: 'holds' })
  })

  test("a member's services are read by its whole name", () => {
    const status = '- n10 (10.0.0.10)\n  Services: central\n- n1 (10.0.0.1)\n  Services: chassis, switch\n'
    expect(servicesOfMember(status, 'n1')).toEqual(['chassis', 'switch'])
    expect(servicesOfMember(status, 'n2')).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { chosenPolicy, NO_CHOICES } from '../../../shared/domain/chosen-policy.ts'
import { type InstancePolicyInput, instancePolicy } from '../../../shared/domain/instance-policy.ts'
import { wordedPolicy } from '../../../shared/words/instance-policies.ts'

const ACTIVE: InstancePolicyInput = {
  hostMode: null,
  tags: [],
  vmState: 'active',
  powerState: 1,
  taskState: null,
  status: 'ACTIVE',
}
const STATES: Readonly<Record<string, InstancePolicyInput>> = {
  ACTIVE,
  PAUSED: { ...ACTIVE, vmState: 'paused', powerState: 3, status: 'PAUSED' },
  SHUTOFF: { ...ACTIVE, vmState: 'stopped', powerState: 4, status: 'SHUTOFF' },
  SUSPENDED: { ...ACTIVE, vmState: 'suspended', powerState: 7, status: 'SUSPENDED' },
  ERROR: { ...ACTIVE, vmState: 'error', status: 'ERROR' },
}

const TABLE = [
  ['none', false, 'ACTIVE', 'live_migrate', 'host-mode'],
  ['none', false, 'PAUSED', 'live_migrate', 'host-mode'],
  ['none', false, 'SHUTOFF', 'ignore', 'state'],
  ['none', true, 'ACTIVE', 'live_migrate', 'host-mode'],
  ['none', true, 'PAUSED', 'live_migrate', 'host-mode'],
  ['none', true, 'SHUTOFF', 'cold_migrate', 'operator'],
  ['none', true, 'SUSPENDED', 'ignore', 'state'],
  ['none', true, 'ERROR', 'blocked', 'state'],
  ['live', false, 'ACTIVE', 'cold_migrate', 'operator'],
  ['live', false, 'PAUSED', 'blocked', 'operator'],
  ['live', false, 'SHUTOFF', 'ignore', 'state'],
  ['live', true, 'SHUTOFF', 'cold_migrate', 'operator'],
  ['cold', false, 'ACTIVE', 'live_migrate', 'host-mode'],
  ['cold', true, 'PAUSED', 'live_migrate', 'host-mode'],
  ['cold', true, 'SHUTOFF', 'ignore', 'operator'],
  ['both', false, 'ACTIVE', 'stop', 'operator'],
  ['both', true, 'PAUSED', 'blocked', 'operator'],
  ['both', true, 'SHUTOFF', 'ignore', 'operator'],
  ['both', true, 'SUSPENDED', 'ignore', 'state'],
] as const

describe('what an operator rules out or asks for (docs/domain.md B.2, C.4)', () => {
  it.each(TABLE)(
    '%s ruled out, cold migration %s: %s is to %s by %s',
    (disableMigration, cold, state, action, source) => {
      const input = STATES[state] ?? ACTIVE
      expect(chosenPolicy(input, { disableMigration, coldMigration: cold })).toMatchObject({ action, source })
    },
  )

  it.each(Object.entries(STATES))('without a choice %s is treated as ever', (_name, input) => {
    expect(chosenPolicy(input, NO_CHOICES)).toEqual(instancePolicy(input))
  })

  it('a stopped instance whose owner wants it to go down with the host stays', () => {
    const tags = ['openstack.lcm.mirantis.com:maintenance_action=poweroff']
    const stopped = { ...ACTIVE, vmState: 'stopped', powerState: 4, status: 'SHUTOFF', tags }
    expect(chosenPolicy(stopped, { coldMigration: true, disableMigration: 'none' })).toMatchObject({ action: 'ignore' })
  })

  it('an owner who acts himself is not overruled by a choice of the way', () => {
    expect(
      chosenPolicy({ ...ACTIVE, hostMode: 'manual' }, { coldMigration: false, disableMigration: 'both' }),
    ).toMatchObject({ action: 'notify' })
  })

  it('the text says that an instance is down meanwhile, or stays stopped', () => {
    const said = (disableMigration: 'live' | 'both') =>
      wordedPolicy(chosenPolicy(ACTIVE, { coldMigration: false, disableMigration })).warnings.join()
    expect(said('live')).toContain('down while it moves')
    expect(said('both')).toContain('start it when the host is back')
  })

  it('a request to migrate cold says that Nova cannot move a suspended one', () => {
    const suspended = { ...ACTIVE, vmState: 'suspended', powerState: 7, status: 'SUSPENDED' }
    const policy = wordedPolicy(chosenPolicy(suspended, { coldMigration: true, disableMigration: 'none' }))
    expect(policy.warnings.join()).toContain('stays')
  })
})

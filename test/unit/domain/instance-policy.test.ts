import { describe, expect, test } from 'vitest'
import {
  HOST_MODE_ANNOTATION,
  type InstancePolicyInput,
  instancePolicy,
  migrationAttempts,
  shownAction,
} from '../../../shared/domain/instance-policy.ts'
import { ACTION_TAG_PREFIX } from '../../../shared/domain/instance-tags.ts'
import { attemptsWords, wordedPolicy } from '../../../shared/words/instance-policies.ts'

const ACTIVE: InstancePolicyInput = {
  hostMode: null,
  tags: [],
  vmState: 'active',
  powerState: 1,
  taskState: null,
  status: 'ACTIVE',
}

const decided = (input: InstancePolicyInput) => wordedPolicy(instancePolicy(input))

const tag = (action: string) => `${ACTION_TAG_PREFIX}${action}`

type Expected = Partial<Omit<ReturnType<typeof decided>, 'warnings'>>
type Row = readonly [string, Partial<InstancePolicyInput>, Expected]

describe('the host mode decides for an untagged instance (domain.md A.5, A.6)', () => {
  const rows: readonly Row[] = [
    ['A.5: live is the default', {}, { action: 'live_migrate', source: 'host-mode' }],
    ['A.6: live -> live_migrate', { hostMode: 'live' }, { action: 'live_migrate', source: 'host-mode' }],
    ['A.6: manual -> notify', { hostMode: 'manual' }, { action: 'notify', source: 'host-mode' }],
    ['A.6: skip -> poweroff', { hostMode: 'skip' }, { action: 'poweroff', source: 'host-mode' }],
  ]
  test.each(rows)('%s', (_name, input, expected) => {
    const policy = decided({ ...ACTIVE, ...input })
    expect(policy).toMatchObject(expected)
    expect(policy.warnings).toEqual([])
  })

  test.each(['live+cold', 'cold', 'Live', ''])(
    'A.5: the unknown mode "%s" counts as manual and is warned of',
    hostMode => {
      const policy = decided({ ...ACTIVE, hostMode })
      expect(policy).toMatchObject({ action: 'notify', source: 'host-mode' })
      expect(policy.warnings).toHaveLength(1)
      expect(policy.warnings[0]).toContain(HOST_MODE_ANNOTATION)
      expect(policy.warnings[0]).toContain(`"${hostMode}"`)
      expect(policy.warnings[0]).toContain('KeyError')
    },
  )
})

describe("the owner's tag (domain.md A.6)", () => {
  const modes = [null, 'live', 'manual', 'skip', 'nonsense'] as const
  const actions = ['live_migrate', 'poweroff', 'notify'] as const
  test.each(modes.flatMap(mode => actions.map(action => [mode, action] as const)))(
    'A.6: on a host in mode %s exactly one known tag wins: %s',
    (hostMode, action) => {
      const policy = decided({ ...ACTIVE, hostMode, tags: ['team=billing', tag(action)] })
      expect(policy).toMatchObject({ action, source: 'tag', warnings: [] })
    },
  )

  test('A.6: several known tags: the host decides, with a warning that names them', () => {
    const policy = decided({ ...ACTIVE, hostMode: 'manual', tags: [tag('poweroff'), tag('live_migrate')] })
    expect(policy).toMatchObject({ action: 'notify', source: 'host-mode' })
    expect(policy.warnings.join()).toMatch(/poweroff, live_migrate/)
  })

  test('A.6: an unknown value is not followed and warned of', () => {
    const policy = decided({ ...ACTIVE, tags: [tag('reboot')] })
    expect(policy).toMatchObject({ action: 'live_migrate', source: 'host-mode' })
    expect(policy.warnings).toHaveLength(1)
    expect(policy.warnings[0]).toContain('maintenance_action=reboot')
  })

  test('A.6: beside an unknown value the one known tag still wins, and the unknown one is warned of', () => {
    const policy = decided({ ...ACTIVE, tags: [tag('POWEROFF'), tag('poweroff')] })
    expect(policy).toMatchObject({ action: 'poweroff', source: 'tag' })
    expect(policy.warnings).toHaveLength(1)
  })

  test('A.6: tags of other systems mean nothing, however similar', () => {
    const policy = decided({
      ...ACTIVE,
      tags: ['maintenance_action=poweroff', 'x-openstack.lcm.mirantis.com:maintenance_action=poweroff'],
    })
    expect(policy).toMatchObject({ action: 'live_migrate', source: 'host-mode', warnings: [] })
  })

  test('A.6: the three tags fit into the 60 characters Nova allows', () => {
    for (const action of actions) expect(tag(action).length).toBeLessThanOrEqual(60)
  })
})

describe('the state comes first (domain.md A.6, C.4)', () => {
  const error = { vmState: 'error', status: 'ERROR' }
  const rows: readonly Row[] = [
    [
      'C.4: PAUSED is live-migrated',
      { vmState: 'paused', powerState: 3, status: 'PAUSED' },
      { action: 'live_migrate' },
    ],
    [
      'A.6: an active one whose power state is unknown yet is live-migrated',
      { powerState: 0 },
      { action: 'live_migrate' },
    ],
    [
      'A.6: building stays',
      { vmState: 'building', powerState: 0, taskState: 'spawning', status: 'BUILD' },
      { action: 'ignore' },
    ],
    ['A.6: deleted stays', { vmState: 'deleted', powerState: 0, status: 'DELETED' }, { action: 'ignore' }],
    [
      'A.6: soft_deleted stays',
      { vmState: 'soft_deleted', powerState: 1, status: 'SOFT_DELETED' },
      { action: 'ignore' },
    ],
    [
      'A.6: soft-delete, as Nova writes it, stays',
      { vmState: 'soft-delete', taskState: 'deleting' },
      { action: 'ignore' },
    ],
    ['A.6: stopped stays', { vmState: 'stopped', powerState: 4, status: 'SHUTOFF' }, { action: 'ignore' }],
    ['A.6: stopped stays, whatever its power state says', { vmState: 'stopped', powerState: 1 }, { action: 'ignore' }],
    ['A.6: suspended stays', { vmState: 'suspended', powerState: 1, status: 'SUSPENDED' }, { action: 'ignore' }],
    ['A.6: shelved stays', { vmState: 'shelved', powerState: 1, status: 'SHELVED' }, { action: 'ignore' }],
    ['A.6: shelve_offloaded stays', { vmState: 'shelve_offloaded', powerState: 1 }, { action: 'ignore' }],
    [
      'A.6: shelved_offloaded, as Nova writes it, stays',
      { vmState: 'shelved_offloaded', powerState: 1 },
      { action: 'ignore' },
    ],
    ['A.6: power state 4 SHUTDOWN stays', { powerState: 4 }, { action: 'ignore' }],
    ['A.6: power state 6 CRASHED stays', { powerState: 6 }, { action: 'ignore' }],
    ['A.6: power state 7 SUSPENDED stays', { powerState: 7 }, { action: 'ignore' }],
    ['A.6: ERROR without running power stays', { ...error, powerState: 4 }, { action: 'ignore' }],
    [
      'A.6: ERROR with running power blocks',
      { ...error, powerState: 1 },
      { action: 'blocked', code: 'instance-in-error' },
    ],
    [
      'A.6: ERROR with no power state blocks',
      { ...error, powerState: 0 },
      { action: 'blocked', code: 'instance-in-error' },
    ],
    [
      'ERROR blocks also when tagged poweroff',
      { ...error, powerState: 1, tags: [tag('poweroff')] },
      { action: 'blocked', code: 'instance-in-error' },
    ],
    [
      'A.6: migrating means waiting',
      { taskState: 'migrating', status: 'MIGRATING' },
      { action: 'blocked', code: 'instance-migrating' },
    ],
    [
      'A.6: migrating means waiting, also when tagged poweroff',
      { taskState: 'migrating', status: 'MIGRATING', tags: [tag('poweroff')] },
      { action: 'blocked', code: 'instance-migrating' },
    ],
    ['C.4: powering-off means waiting', { taskState: 'powering-off' }, { action: 'blocked', code: 'instance-busy' }],
    [
      'C.4: a resize means waiting',
      { taskState: 'resize_migrating', status: 'RESIZE' },
      { action: 'blocked', code: 'instance-busy' },
    ],
    [
      'ours: a stopped instance being cold-migrated means waiting',
      { vmState: 'stopped', powerState: 4, taskState: 'resize_migrating', status: 'RESIZE' },
      { action: 'blocked', code: 'instance-busy' },
    ],
    [
      'C.4: VERIFY_RESIZE blocks until confirmed or reverted',
      { vmState: 'resized', status: 'VERIFY_RESIZE' },
      { action: 'blocked', code: 'instance-resize-unconfirmed' },
    ],
    [
      'A.6: VERIFY_RESIZE of an instance that is shut down stays',
      { vmState: 'resized', powerState: 4, status: 'VERIFY_RESIZE' },
      { action: 'ignore' },
    ],
    [
      'C.4: rescued blocks',
      { vmState: 'rescued', status: 'RESCUE' },
      { action: 'blocked', code: 'instance-not-movable' },
    ],
    [
      'A.6: rescued on a host in mode skip goes down with the host',
      { vmState: 'rescued', status: 'RESCUE', hostMode: 'skip' },
      { action: 'poweroff', source: 'state' },
    ],
    [
      'C.4 (2.69): a server of a down cell blocks',
      { vmState: null, powerState: null, status: 'UNKNOWN' },
      { action: 'blocked', code: 'instance-unknown' },
    ],
    [
      'C.4 (2.69): so does one whose cell leaves only the power state 0',
      { vmState: null, powerState: 0, status: 'UNKNOWN', hostMode: 'skip' },
      { action: 'blocked', code: 'instance-unknown' },
    ],
  ]
  test.each(rows)('%s', (_name, input, expected) => {
    expect(decided({ ...ACTIVE, ...input })).toMatchObject(expected)
  })

  test('whatever blocks says what to do about it, and nothing else does', () => {
    for (const [, input] of rows) {
      const policy = decided({ ...ACTIVE, ...input })
      expect(policy.remedy === null, policy.reason).toBe(policy.action !== 'blocked' && policy.action !== 'notify')
      expect(policy.reason).not.toMatch(/\.$/)
    }
  })

  test('C.4: the remedy for VERIFY_RESIZE is to confirm or revert', () => {
    const policy = decided({ ...ACTIVE, vmState: 'resized', status: 'VERIFY_RESIZE' })
    expect(policy.remedy).toMatch(/[Cc]onfirm/)
    expect(policy.remedy).toMatch(/revert/)
  })

  test('C.4: a locked instance moves, with the warning that only an administrator may move it', () => {
    expect(decided({ ...ACTIVE, locked: true })).toMatchObject({ action: 'live_migrate' })
    expect(decided({ ...ACTIVE, locked: true }).warnings.join()).toContain('locked')
    expect(decided({ ...ACTIVE, locked: true, hostMode: 'skip' }).warnings).toEqual([])
  })

  test('odd tags of a stopped instance still cause a warning', () => {
    expect(decided({ ...ACTIVE, vmState: 'stopped', powerState: 4, tags: [tag('x')] }).warnings).toHaveLength(1)
  })
})

describe('what a view shows', () => {
  test.each<[string, Partial<InstancePolicyInput>, string]>([
    ['a live migration under way does not block', { taskState: 'migrating', status: 'MIGRATING' }, 'migrating'],
    [
      'nor a cold migration, which is a move with downtime',
      { taskState: 'resize_migrating', status: 'RESIZE' },
      'migrating',
    ],
    ['nor one of which a silent cell tells the status only', { vmState: null, status: 'MIGRATING' }, 'migrating'],
    ['another task of Nova is', { taskState: 'rebooting', status: 'REBOOT' }, 'blocked'],
    ['ERROR is', { vmState: 'error', status: 'ERROR' }, 'blocked'],
    ['any other action is shown as it is', { hostMode: 'manual' }, 'notify'],
  ])('%s', (_what, input, shown) => {
    const instance = { ...ACTIVE, ...input }
    expect(shownAction(instancePolicy(instance).action, instance)).toBe(shown)
  })
})

describe('the number of attempts (domain.md A.5)', () => {
  test.each([
    [null, 3, false],
    ['1', 1, false],
    ['7', 7, false],
    [' 5 ', 5, false],
    ['0', 3, true],
    ['-1', 3, true],
    ['three', 3, true],
    ['2.5', 3, true],
    ['', 3, true],
    ['1000', 20, true],
  ] as const)('the annotation %j means %i attempts, warned of: %s', (annotation, attempts, warned) => {
    const answer = migrationAttempts(annotation, 3)
    expect(answer.attempts).toBe(attempts)
    expect(answer.note !== null).toBe(warned)
    if (answer.note !== null) expect(attemptsWords(answer.note)).toMatch(new RegExp(`(?:uses|at most) ${attempts}\\.`))
  })

  test('without annotation the setting counts', () => {
    expect(migrationAttempts(null, 8)).toEqual({ attempts: 8, note: null })
  })
})

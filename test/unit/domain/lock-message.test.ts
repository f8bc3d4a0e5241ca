import { describe, expect, it } from 'vitest'
import { instancesLeftBy, parseLockMessage } from '../../../shared/domain/lock-message.ts'
import { type LockFields, lockStatus } from '../../../shared/domain/lock-status.ts'
import { leftOnDeletedText, leftToOwnersText, withoutEmptyLists } from '../../../shared/words/lock-messages.ts'
import { lockStatusText } from '../../../shared/words/lock-status.ts'

const ID = '6f1c2a3b-0000-4000-8000-00000000000a'
const OTHER = '6f1c2a3b-0000-4000-8000-00000000000b'

describe('docs/domain.md A.2: a lock carries progress, blockers and errors in one text', () => {
  it.each([
    [`Starting migration for ${ID}`, 'progress'],
    [`Waiting servers migration is completed: ['${ID}']`, 'progress'],
    ['Waiting for all OpenStack services are healthy.', 'progress'],
    ['Waiting osdpl status APPLIED, current state is APPLYING', 'progress'],
    ['Waitinging for cwl release is 17.1.0.', 'progress'],
    ['OpenStackDeploymentStatus controller version is not updated yet.', 'progress'],
    ['Current maintenancerequest 17.1.0 release does not match ours 17.0.0. Skipping handling.', 'blocked'],
    [
      'Number of inactive NodeWorkloadLocks exceeds allowed concurrency. Deferring processing for node cmp-1',
      'blocked',
    ],
    ["Some services blocks nmr handling {'compute': False}. Deferring processing for node cmp-1", 'blocked'],
    [`Some servers are still present on the host. Notify owners of the following server: ['${ID}']`, 'blocked'],
    [`Some volumes ['${ID}'] are still present on host cmp-1. Blocking node removal unless they removed`, 'blocked'],
    ['The node ctl-1 is hard locked by etcd.', 'blocked'],
    [`Got error while trying to migrate server ${ID}: No valid host was found`, 'trouble'],
    ['Timeout waiting for compute services up on the host.', 'trouble'],
    ['Retrying migrate instances from host. Cannot execute openstack commands, error: 503', 'trouble'],
    ['Can not enable block-storage service on the host cmp-1.', 'trouble'],
  ])('%s: %s', (text, kind) => {
    expect(parseLockMessage(`2025-06-01 10:11:12.123456 ${text}`)).toMatchObject({ text, kind })
  })

  it.each([
    ['2 out of 5 nodes updated', 'progress'],
    ['Waiting until all placement groups are active+clean', 'progress'],
    ['Failed to reach the cluster', 'trouble'],
    ['An operator has to move volume vol-1', 'blocked'],
    ['Quorum 2/3', 'blocked'],
    ['Waiting for node cmp-1 to become Ready: KubeletNotReady: container runtime failed', 'progress'],
    ['The servers on cmp-1 could not be read: 503', 'trouble'],
    ['OSDs 1, 2 are still on osd-1. Remove them from Ceph first', 'blocked'],
    ['Ceph is not whole: 3 placement groups are degraded', 'blocked'],
  ])('a controller nobody published: "%s" is %s', (text, kind) => {
    expect(parseLockMessage(text).kind).toBe(kind)
  })

  it('an empty text says nothing', () => {
    expect(parseLockMessage(' ')).toEqual({ at: null, text: '', kind: 'none', instanceIds: [] })
  })
})

describe('docs/domain.md A.2: the time in front of the text is UTC', () => {
  it.each([
    ['2025-06-01 10:11:12.123456 x', '2025-06-01T10:11:12.123Z'],
    ['2025-06-01 10:11:12 x', '2025-06-01T10:11:12.000Z'],
    ['2025-06-01T10:11:12Z x', '2025-06-01T10:11:12.000Z'],
    ['2025-06-01 12:11:12.5+02:00 x', '2025-06-01T10:11:12.500Z'],
    ['2025-06-01 12:11:12+0200 x', '2025-06-01T10:11:12.000Z'],
  ])('%s', (message, at) => {
    expect(parseLockMessage(message)).toMatchObject({ at, text: 'x' })
  })

  it('a text without a time, or with an impossible one, has none', () => {
    expect(parseLockMessage('10:11:12 x').at).toBeNull()
    expect(parseLockMessage('2025-13-41 10:11:12 x')).toMatchObject({ at: null, text: 'x' })
  })
})

describe('docs/domain.md A.6: the instances that hold a node back', () => {
  it('are named each once, in their order', () => {
    const text = `Some servers are still present on the host. Notify owners of the following server: ['${OTHER}', '${ID}'] Servers with unset maintenance action: ['${ID}']`
    expect(parseLockMessage(text).instanceIds).toEqual([OTHER, ID])
  })
})

describe('docs/domain.md A.6: a list of owners with nothing in it asks nobody for anything', () => {
  const EMPTY = 'Some servers are still present on the host. Notify owners of the following server: []'
  it.each([
    [EMPTY, 'progress'],
    [`${EMPTY} Servers with unset maintenance action: []`, 'progress'],
    [`${EMPTY} Servers with unset maintenance action: [] web-1 (${ID}): it is being migrated now.`, 'progress'],
    [`${EMPTY} Servers with unset maintenance action: ['${ID}']`, 'blocked'],
    [`${EMPTY} Servers with unset maintenance action: [] An operator has to decide.`, 'blocked'],
    [`Some servers are still present on the host; an operator has to act. web-1 (${ID}): it is in ERROR.`, 'blocked'],
  ])('%s: %s', (text, kind) => {
    expect(parseLockMessage(text).kind).toBe(kind)
  })

  it('keeps its meaning', () => {
    expect(withoutEmptyLists(`${EMPTY} Servers with unset maintenance action: [] web-1: it moves.`)).toBe(
      'Some servers are still present on the host, and nobody is to be notified. web-1: it moves.',
    )
  })
})

describe('the state of a lock', () => {
  const lock = (change: Partial<LockFields>): LockFields => ({
    state: 'active',
    errorMessage: '',
    innerState: null,
    progress: null,
    faults: [],
    ...change,
  })
  const wish = { deletingSince: null }
  const leaving = { deletingSince: '2025-06-01T10:00:00Z' }

  it.each([
    ['active without a request', lock({}), null, 'idle'],
    ['active, nothing begun', lock({}), wish, 'asked'],
    ['active, begun', lock({ innerState: 'active' }), wish, 'preparing'],
    ['active with progress', lock({ errorMessage: `Starting migration for ${ID}` }), wish, 'preparing'],
    ['active with a percentage', lock({ progress: { percentage: 20, description: '' } }), wish, 'preparing'],
    ['active with a blocker', lock({ errorMessage: 'The node ctl-1 is hard locked by etcd.' }), wish, 'blocked'],
    ['active with an error', lock({ errorMessage: 'Got error while x' }), wish, 'trouble'],
    ['inactive', lock({ state: 'inactive', innerState: 'active' }), wish, 'released'],
    ['docs/domain.md A.3: inactive under a Terminating request', lock({ state: 'inactive' }), leaving, 'returning'],
    ['docs/domain.md A.3: withdrawn while entering', lock({ innerState: 'active' }), leaving, 'returning'],
    ['active again under a Terminating request', lock({ innerState: 'inactive' }), leaving, 'idle'],
    ['inactive without a request', lock({ state: 'inactive' }), null, 'returning'],
    ['docs/domain.md A.1: failed', lock({ state: 'failed' }), wish, 'trouble'],
    ['docs/domain.md A.1: a state nobody knows', lock({ state: 'unknown' }), wish, 'unknown'],
  ] as const)('%s', (_, status, request, kind) => {
    expect(lockStatus(status, request).kind).toBe(kind)
  })

  it('tells what its controller says, its progress and its fault', () => {
    const progress = { percentage: 20, description: '1 out of 5 nodes updated' }
    expect(lockStatusText(lockStatus(lock({ progress }), wish))).toBe('Being prepared: 20 %, 1 out of 5 nodes updated.')
    expect(lockStatusText(lockStatus(lock({ state: 'unknown', faults: ['Its status says no state.'] }), null))).toBe(
      'Its state is unknown: Its status says no state.',
    )
    expect(
      lockStatusText(
        lockStatus(lock({ errorMessage: '2025-06-01 10:11:12 The node a is hard locked by etcd.' }), wish),
      ),
    ).toBe('Waiting: The node a is hard locked by etcd.')
  })
})

describe('instances that nobody moves', () => {
  const more = [`They are amphora-${OTHER} (${ID}).`]

  it.each([
    ['left to their owners', leftToOwnersText([ID], [ID], more), [ID]],
    ['on a node that is given up', leftOnDeletedText([ID, OTHER], more), [ID, OTHER]],
    [
      'as Rockoon writes it',
      `Some servers are still present on the host. Notify owners of the following server: ['${ID}']`,
      [ID],
    ],
    ['of no owner', leftToOwnersText([], [], more), []],
    ['of something else', `Starting migration for a (${ID})`, []],
  ])('are read as they are written, whatever their names look like: %s', (_what, text, ids) => {
    expect(instancesLeftBy(text)).toEqual(ids)
    expect(parseLockMessage(text).kind).toBe(text.startsWith('Some') ? 'blocked' : 'progress')
  })
})

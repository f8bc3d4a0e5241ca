import { describe, expect, it } from 'vitest'
import { listedObjects } from '../../../../main/api/maintenance-objects.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { type MaintenanceObjects, NO_MAINTENANCE_OBJECTS } from '../../../../shared/domain/maintenance-api.ts'
import type { InstanceSummary } from '../../../../shared/domain/node-summary.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'

const ID = 'e6ae0a09-7f31-43f7-a723-5977f8f2a564'
const AT = '2026-11-21T10:00:00.000Z'
const head = (name: string) => ({
  uid: `uid-of-${name}`,
  name,
  resourceVersion: '1',
  createdAt: AT,
  deletingSince: null,
  finalizers: ['lcm.mirantis.com/openstack-controller'],
  annotations: {},
  writers: [{ manager: 'lcm-controller', at: AT, subresource: null }],
  faults: [],
})
const lock = (name: string, state: 'active' | 'inactive', errorMessage = '') => ({
  ...head(name),
  controller: 'openstack',
  state,
  release: null,
  errorMessage,
  innerState: null,
  progress: null,
})
const request = (node: string, more = {}) => ({
  ...head(node),
  nodeName: node,
  scope: 'os' as const,
  release: null,
  ...more,
})
const nodeLock = (node: string, state: 'active' | 'inactive', errorMessage = '') => ({
  ...lock(`openstack-${node}`, state, errorMessage),
  nodeName: node,
  nodeDeletionRequestSupported: false,
})

const objects: MaintenanceObjects = {
  ...NO_MAINTENANCE_OBJECTS,
  clusterLocks: [lock('openstack', 'active')],
  nodeLocks: [
    nodeLock('cmp-1.kaas.local', 'active', `Some servers are still present on the host ["${ID}"]`),
    nodeLock('cmp-2', 'inactive'),
    nodeLock('cmp-3', 'inactive'),
  ],
  nodeRequests: [
    request('cmp-1'),
    request('cmp-2', { annotations: { 'lockkeeper.dev/run': 'run-7', 'lockkeeper.dev/reason': 'ticket 4711' } }),
    request('cmp-3', { deletingSince: '2026-11-21T11:00:00.000Z' }),
    request('ghost'),
  ],
  disableNotifications: [{ ...head('cmp-9'), nodeName: 'cmp-9' }],
}
const listed = () => listedObjects(objects, ['cmp-1', 'cmp-2', 'cmp-3'])

describe('a request waits for', () => {
  const waits = (name: string) => listed().requests.find(each => each.name === name)?.waitsFor

  it('each lock of its node that is not inactive, with what its controller says', () => {
    expect(waits('cmp-1')).toEqual([expect.stringContaining('openstack: Waiting: Some servers are still present')])
  })
  it('nothing once every lock is inactive', () => expect(waits('cmp-2')).toEqual([]))
  it('each lock that is not active again, while it is Terminating', () => {
    expect(waits('cmp-3')).toEqual([expect.stringContaining('openstack: Being taken back')])
  })
  it('nobody, where it names no node of the cluster', () => {
    expect(waits('ghost')).toEqual(['the cluster has no such node: nobody will answer'])
  })
})

describe('locks and requests', () => {
  const terminal = (served = true) =>
    createFakeTerminal({
      contract: createFakeContract({
        'maintenance.list': () => ok({ served, ...listed(), readAt: AT }),
        'instance.list': () =>
          ok({
            instances: [{ id: ID, name: 'db-1', projectId: 'p-1' } as InstanceSummary],
            projects: [{ id: 'p-1', name: 'shop' }],
            readAt: AT,
            unreachable: [],
          }),
      }).contract,
    })

  it('are shown whoever made them: who, since when, and what they wait for', async () => {
    const shown = terminal()
    expect(await shown.run('requests', 'lab')).toBe(0)
    expect(shown.out()).toMatch(/^ghost +maintenance +ghost +os +asked +2026-11-21 10:00:00 +lcm-controller +the cl/m)
    expect(shown.out()).toMatch(/^cmp-2 +maintenance +cmp-2 +os +granted .* Lockkeeper run run-7 \(ticket 4711\) +-$/m)
    expect(shown.out()).toMatch(/^cmp-3 .* Terminating since 2026-11-21 11:00:00 /m)
    expect(shown.out()).toMatch(/^cmp-9 +disabled on purpose +cmp-9 +- +noted/m)
  })

  it('name instances by name and project; -v by id', async () => {
    const shown = terminal()
    await shown.run('locks', 'lab')
    expect(shown.out()).toMatch(/^the cluster +openstack +active/m)
    expect(shown.out()).toContain('db-1 (project shop)')
    expect(shown.out()).not.toContain(ID)
    const verbose = terminal()
    await verbose.run('locks', 'lab', '-v')
    expect(verbose.out()).toContain(ID)
  })

  it('are arrays as JSON, as the contract has them', async () => {
    const shown = terminal()
    await shown.run('locks', 'lab', '-o', 'json')
    expect(shown.json()).toEqual(listed().locks)
  })

  it('where the cluster has no such API, that is said, and not that there are none', async () => {
    const shown = terminal(false)
    expect(await shown.run('requests', 'lab')).toBe(0)
    expect(shown.err()).toContain('lab has no node maintenance API.')
    expect(shown.out()).toBe('')
  })
})

describe('requests remove', () => {
  const removing = (state: 'gone' | 'terminating' = 'gone') => {
    const fake = createFakeContract({
      'maintenance.list': () => ok({ served: true, ...listed(), readAt: AT }),
      'request.remove': () => ok({ state, finalizers: [] }),
    })
    return { fake, terminal: createFakeTerminal({ contract: fake.contract }) }
  }

  it('asks for exactly the object that is shown; --force REASON forces', async () => {
    const { fake, terminal } = removing()
    expect(await terminal.run('requests', 'remove', 'lab', 'ghost', '--force', 'LCM is gone', '--yes')).toBe(0)
    expect(fake.inputsOf('request.remove')).toEqual([
      {
        cluster: 'lab',
        kind: 'NodeMaintenanceRequest',
        name: 'ghost',
        uid: 'uid-of-ghost',
        reason: 'LCM is gone',
        force: true,
      },
    ])
    expect(terminal.out()).toContain('Removed the request ghost for ghost of lab, made by lcm-controller. It is gone.')
  })

  it('--reason alone does not force', async () => {
    const { fake, terminal } = removing('terminating')
    expect(await terminal.run('requests', 'remove', 'lab', 'ghost', '--reason', 'x', '--yes')).toBe(4)
    expect(fake.inputsOf('request.remove')).toMatchObject([{ force: false }])
    expect(terminal.out()).toContain('It is Terminating')
  })
})

describe('requests create', () => {
  it('is the plan of enter with its flags, and nothing else makes a request', async () => {
    const fake = createFakeContract({ 'plan.make': () => failed(failure('unreachable', 'Nobody answers.')) })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('requests', 'create', 'lab', 'cmp-1', '--scope', 'drain', '--yes')).toBe(1)
    expect(fake.inputsOf('plan.make')).toEqual([
      { cluster: 'lab', node: 'cmp-1', kind: 'enter', choices: { scope: 'drain' } },
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { removeNodeRequest } from '../../../main/procedures/steps/requests/remove-node-request.ts'
import { requestNodeMaintenance } from '../../../main/procedures/steps/requests/request-node-maintenance.ts'
import { type MaintenanceObjects, NO_MAINTENANCE_OBJECTS } from '../../../shared/domain/maintenance-api.ts'
import { must } from '../../../shared/domain/must.ts'
import { ok } from '../../../shared/domain/result.ts'
import { type FakeWorld, fakeContext, fakeNode, fakeWorld } from '../../fixtures/procedures/fake-world.ts'
import { fakeNodeRequest, madeByRun } from '../../fixtures/procedures/maintenance-objects.ts'

const INPUT = { node: 'cmp-1' }

/** A node with these requests; `asked` lists the requests. A request that is deleted goes at once. */
function withRequests(requests: MaintenanceObjects['nodeRequests'], more: Parameters<typeof fakeWorld>[0] = {}) {
  const world: FakeWorld = fakeWorld({ nodes: [fakeNode('cmp-1')], ...more })
  let there = requests
  const maintenanceApi = {
    ...world.port.maintenanceApi,
    objects: async () => ok({ ...NO_MAINTENANCE_OBJECTS, nodeRequests: there }),
    createNodeRequest: async () => {
      world.asked.push('create')
      return ok(fakeNodeRequest('cmp-1'))
    },
    deleteRequest: async ({ name, uid }: { readonly name: string; readonly uid: string }) => {
      world.asked.push(`delete ${name} ${uid}`)
      there = there.filter(request => request.uid !== uid)
      return ok(undefined)
    },
  }
  return Object.assign(world, { port: { ...world.port, maintenanceApi } })
}

describe('a node is not requested', () => {
  const apply = (world: FakeWorld) => must(requestNodeMaintenance.apply, 'it has one')(INPUT, fakeContext(world))

  it('while another run holds its Lease: a person is asked', async () => {
    const holder = {
      identity: 'other',
      runId: 'run-2',
      operator: 'ana',
      machine: 'laptop',
      since: null,
      renewedAt: null,
      durationSeconds: 60,
    }
    const world = withRequests([], { holder })
    expect(await apply(world)).toMatchObject({ kind: 'question', choices: ['retry', 'abort'] })
    const own = withRequests([], { holder: { ...holder, runId: 'run-1' } })
    expect((await apply(own)).kind).toBe('applied')
    expect([world.asked, own.asked]).toEqual([[], ['create']])
  })

  it('while it comes back from an earlier maintenance: a person is asked', async () => {
    const world = withRequests([fakeNodeRequest('cmp-1', { deletingSince: '2026-01-01T00:00:00Z' })])
    expect(await apply(world)).toMatchObject({
      kind: 'question',
      question: expect.stringContaining('still coming back from an earlier maintenance'),
    })
    expect(world.asked).toEqual([])
  })
})

it('an undo removes the request of the run that it undoes, by its UID, and no other', async () => {
  const world = withRequests([
    fakeNodeRequest('cmp-1', { name: 'of-run-2', uid: 'u-2', ...madeByRun('run-2') }),
    fakeNodeRequest('cmp-1', { name: 'of-run-3', uid: 'u-3', ...madeByRun('run-3') }),
  ])
  const stop = AbortSignal.timeout(50)
  await must(removeNodeRequest.apply, 'it has one')({ ...INPUT, of: 'run-2' }, fakeContext(world, { signal: stop }))
  expect(world.asked).toEqual(['delete of-run-2 u-2'])
})

describe('the plan of a request', () => {
  it('of scope drain says that the node must not be rebooted: its instances stay; of scope os it does not', async () => {
    const reason = async (scope: 'drain' | 'os') => {
      const answer = await must(requestNodeMaintenance.check, 'it has one')(
        { ...INPUT, scope },
        fakeContext(withRequests([])),
      )
      return answer.kind === 'ready' ? answer.reason : answer.kind
    }
    expect(await reason('drain')).toBe(
      'No request for cmp-1 yet. Scope drain: do not reboot cmp-1, its instances stay on it.',
    )
    expect(await reason('os')).toBe('No request for cmp-1 yet.')
  })
})

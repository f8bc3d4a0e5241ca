import { describe, expect, test } from 'vitest'
import { editHandlers } from '../../../main/api/edits.ts'
import type { ApiServices } from '../../../main/api/services.ts'
import type { ConnectedWorld } from '../../../main/clusters/clusters.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import type { Edit } from '../../../shared/domain/edit.ts'
import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { tagOf } from '../../../shared/domain/instance-tags.ts'
import { must } from '../../../shared/domain/must.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { COMPUTE, fakeInstance, fakeNode, fakeService, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

/** A connected world as far as these handlers look at it. */
function connected(world: MaintenanceWorld, openstackFailure: Failure | null): ConnectedWorld {
  return { world, openstackFailure } as ConnectedWorld
}

/** The handlers over a world; what they note, log and tell the view is kept. */
function handlersOver(world: MaintenanceWorld, more: Partial<ApiServices> = {}) {
  const noted: Omit<Edit, 'seq' | 'at'>[] = []
  const touched: (readonly string[])[] = []
  const errors: string[] = []
  const services: Partial<ApiServices> = {
    worlds: { open: async () => ok(connected(world, null)) },
    runs: {
      driver: { operator: 'eva', machine: 'laptop', pid: 1, version: '0', id: 'driver-1', bootId: 'boot-1', epoch: 1 },
    } as ApiServices['runs'],
    edits: {
      record: edit => {
        noted.push(edit)
        return ok({ seq: noted.length, at: '2026-01-01T00:00:00.000Z', ...edit })
      },
      list: () => ok([]),
      after: () => [],
      seqWhenOpened: 0,
    },
    log: { ...silentLogger, error: message => errors.push(message) },
    onInstancesTouched: (_cluster, ids) => touched.push(ids),
    ...more,
  }
  // The handlers of edits use nothing else.
  return { handlers: editHandlers(services as ApiServices), noted, touched, errors }
}

const small = () =>
  fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE })],
    services: [fakeService('cmp-1')],
    instances: [fakeInstance('1', 'cmp-1'), fakeInstance('2', 'cmp-1', { tags: [tagOf('notify')] })],
  })

describe('marking instances', () => {
  test('asks Nova about four of them at once, and no more', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => String(index))
    const world = fakeWorld({ instances: ids.map(id => fakeInstance(id, 'cmp-1')) })
    const cloud = must(world.port.openstack, 'the fake world has a cloud')
    let now = 0
    let most = 0
    const port: MaintenanceWorld = {
      ...world.port,
      openstack: {
        ...cloud,
        addInstanceTag: async (id, tag) => {
          now += 1
          most = Math.max(most, now)
          await new Promise(resolve => setImmediate(resolve))
          now -= 1
          return cloud.addInstanceTag(id, tag)
        },
      },
    }
    const { handlers } = handlersOver(port)
    const marks = ids.map(id => ({ id, actions: ['notify' as const] }))
    const { results } = valueIn(await handlers['instance.mark']({ cluster: 'test', marks }))
    expect(results.map(({ id }) => id)).toEqual(ids)
    expect(most).toBe(4)
  })

  test('has the view read the requested ones again, and records those and the refusals', async () => {
    const world = small()
    const { handlers, noted, touched } = handlersOver(world.port)
    const marks = [
      { id: '1', actions: ['notify' as const] },
      { id: '2', actions: ['notify' as const] },
      { id: '3', actions: [] },
    ]
    valueIn(await handlers['instance.mark']({ cluster: 'test', marks }))
    expect(touched).toEqual([['1']])
    expect(noted.map(({ target, node, refused }) => [target, node, refused]).sort()).toEqual([
      ['server/1 (vm-1)', 'cmp-1', null],
      ['server/3', null, 'server 3 does not exist.'],
    ])
  })

  test('what was done stays done when the journal cannot be written; the log says so', async () => {
    const full = failed(failure('server-fault', 'The disk is full.'))
    const { handlers, errors } = handlersOver(small().port, {
      edits: { record: () => full, list: () => full, after: () => [], seqWhenOpened: 0 },
    })
    const marks = [{ id: '1', actions: ['notify' as const] }]
    const { results } = valueIn(await handlers['instance.mark']({ cluster: 'test', marks }))
    expect(results[0]).toMatchObject({ after: ['notify'], failure: null })
    expect(errors).toHaveLength(1)
  })

  test('is refused where there is no cloud, or it cannot be asked', async () => {
    const world = { ...small().port, openstack: null }
    const without = handlersOver(world)
    const marks = [{ id: '1', actions: [] }]
    expect(failureIn(await without.handlers['instance.mark']({ cluster: 'test', marks })).code).toBe('bad-input')
    const away = failure('unreachable', 'Keystone is away.')
    const { handlers } = handlersOver(world, { worlds: { open: async () => ok(connected(world, away)) } })
    expect(failureIn(await handlers['instance.mark']({ cluster: 'test', marks }))).toEqual(away)
  })
})

describe('setting the mode of a host', () => {
  test('that exists already changes and records nothing', async () => {
    const { handlers, noted } = handlersOver(small().port)
    expect(await handlers['node.set-mode']({ cluster: 'test', node: 'cmp-1', mode: null })).toEqual(
      ok({ before: { mode: null, attempts: null }, after: { mode: null, attempts: null } }),
    )
    expect(noted).toEqual([])
  })

  test('that is refused is noted with what was asked and why not', async () => {
    const world = small().port
    const refusal = failed(failure('not-permitted', 'patch nodes is not allowed to eva'))
    const port = { ...world, kubernetes: { ...world.kubernetes, annotateNode: async () => refusal } }
    const { handlers, noted } = handlersOver(port)
    expect(await handlers['node.set-mode']({ cluster: 'test', node: 'cmp-1', mode: 'skip' })).toEqual(refusal)
    expect(noted).toMatchObject([
      { after: 'mode skip, attempts not set', refused: 'patch nodes is not allowed to eva', operator: 'eva' },
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { proveInstances } from '../../../main/procedures/steps/compute/prove-instances.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import { fakeContext, fakeInstance, fakeNode, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

const IDS = ['a', 'b', 'c', 'd']

/** Four instances that left cmp-1; `listed`: what Nova's list of changes shows of them, null if it fails. */
async function prove(listed: readonly Instance[] | null, now = IDS.map(id => fakeInstance(id, 'cmp-2'))) {
  const world = fakeWorld({ instances: now })
  world.migrations = IDS.map((id, at) =>
    fakeMigration({ instanceId: id, id: at + 1, status: 'completed', createdAt: `2026-01-01T00:0${at}:30Z` }),
  )
  const cloud = must(world.port.openstack, 'there is a cloud')
  const single: string[] = []
  const since: string[] = []
  const { getInstance } = cloud
  Object.assign(cloud, {
    consumersOn: async () => ok(['other']),
    getInstance: (id: string) => {
      single.push(id)
      return id === 'other' ? ok(fakeInstance('other', 'cmp-1')) : getInstance(id)
    },
    instancesChangedSince: async (from: string) => {
      since.push(from)
      return listed === null
        ? failed(failure('unreachable', 'no answer'))
        : ok({ items: listed, deletedIds: [], unreachable: [] })
    },
  })
  const instances = [{ id: 'other' }]
  const ctx = fakeContext(world, { counted: IDS.map(id => ({ kind: 'instance', id, name: id, values: {} })) })
  const proof = await proveInstances({ host: 'cmp-1', node: fakeNode('cmp-1'), instances }, ctx)
  return { kind: proof.kind, single, since, read: proof.kind === 'proved' ? [...proof.read.keys()] : [] }
}

describe('instances that left a host', () => {
  test('are proved by one list of what changed since the first of their moves, less five minutes', async () => {
    expect(await prove(IDS.map(id => fakeInstance(id, 'cmp-2')))).toEqual({
      kind: 'proved',
      single: [],
      since: ['2025-12-31T23:55:30Z'],
      read: IDS,
    })
  })

  test('that this list does not show, or shows in part, are read on their own', async () => {
    const listed = [
      fakeInstance('a', 'cmp-2'),
      fakeInstance('b', 'cmp-2'),
      fakeInstance('c', 'cmp-2', { partial: true }),
    ]
    expect(await prove(listed)).toMatchObject({ kind: 'proved', single: ['c', 'd'], read: IDS })
  })

  test('are all read on their own where the list fails', async () => {
    expect(await prove(null)).toMatchObject({ kind: 'proved', single: IDS })
  })

  test('contradict the list of the host where the list of changes shows one there', async () => {
    const listed = IDS.map(id => fakeInstance(id, id === 'b' ? 'cmp-1' : 'cmp-2'))
    expect(await prove(listed)).toMatchObject({ kind: 'contradicted', single: [] })
  })
})

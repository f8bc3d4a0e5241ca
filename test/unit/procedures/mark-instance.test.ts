import { describe, expect, test } from 'vitest'
import { markInstance, type TagPort } from '../../../main/procedures/edits/mark-instance.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { tagOf } from '../../../shared/domain/instance-tags.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { fakeInstance, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

function cloudWith(overrides: Partial<Instance>) {
  const world = fakeWorld({ instances: [fakeInstance('1', 'cmp-1', overrides)] })
  return { world, cloud: must(world.port.openstack, 'the fake world has a cloud') }
}

describe('marking an instance', () => {
  test('adds the wanted tag before it removes the others, and answers what Nova says then', async () => {
    const { world, cloud } = cloudWith({ tags: ['team=web', tagOf('poweroff')] })
    expect(await markInstance(cloud, '1', ['notify'])).toMatchObject({
      before: ['poweroff'],
      after: ['notify'],
      changed: true,
      failure: null,
    })
    expect(world.asked).toEqual([`add-tag 1 ${tagOf('notify')}`, `remove-tag 1 ${tagOf('poweroff')}`])
    expect(world.instances[0]?.tags).toEqual(['team=web', tagOf('notify')])
  })

  test('asks for nothing where it is so already', async () => {
    const { world, cloud } = cloudWith({ tags: [tagOf('notify')] })
    expect(await markInstance(cloud, '1', ['notify'])).toMatchObject({
      after: ['notify'],
      changed: false,
      failure: null,
    })
    expect(world.asked).toEqual([])
  })

  test('says of an instance in ERROR which states take tags, and what to do', async () => {
    const { cloud } = cloudWith({ status: 'ERROR', vmState: 'error', tags: [tagOf('poweroff')] })
    const outcome = await markInstance(cloud, '1', [])
    expect(outcome).toMatchObject({ before: ['poweroff'], after: ['poweroff'] })
    expect(outcome.failure?.code).toBe('conflict')
    expect(outcome.failure?.message).toContain('vm-1 takes no mode while it is in ERROR')
    expect(outcome.failure?.message).toContain('openstack server set --state active 1')
  })

  test('says of a shelved one to come back when it is in a state that takes tags', async () => {
    const { cloud } = cloudWith({ status: 'SHELVED_OFFLOADED', vmState: 'shelved_offloaded' })
    const { failure } = await markInstance(cloud, '1', ['notify'])
    expect(failure?.message).toContain(
      'here it is shelved_offloaded. Set its mode again when it is in one of these states',
    )
  })

  test('stops at a refusal, and tells what Nova says it is marked with now', async () => {
    const { cloud } = cloudWith({ tags: [tagOf('poweroff')] })
    const forbidden = failure('not-permitted', 'the rule os_compute_api:os-server-tags:delete does not allow this')
    const port: TagPort = { ...cloud, removeInstanceTag: async () => failed(forbidden) }
    expect(await markInstance(port, '1', ['notify'])).toMatchObject({
      before: ['poweroff'],
      after: ['poweroff', 'notify'],
      failure: forbidden,
    })
  })

  test('a tag that somebody else removed first is removed', async () => {
    const { world, cloud } = cloudWith({ tags: [tagOf('poweroff')] })
    const port: TagPort = {
      ...cloud,
      removeInstanceTag: async (id, tag) => {
        world.instances = world.instances.map(instance => ({ ...instance, tags: [] }))
        return cloud.removeInstanceTag(id, tag)
      },
    }
    expect(await markInstance(port, '1', [])).toMatchObject({ after: [], failure: null })
  })

  test('says so when somebody else marked it otherwise at the same moment', async () => {
    const { world, cloud } = cloudWith({})
    const port: TagPort = {
      ...cloud,
      addInstanceTag: async (id, tag) => {
        await cloud.addInstanceTag(id, tag)
        world.instances = world.instances.map(instance => ({
          ...instance,
          tags: [...instance.tags, tagOf('poweroff')],
        }))
        return ok(undefined)
      },
    }
    const outcome = await markInstance(port, '1', ['notify'])
    expect(outcome.after).toEqual(['poweroff', 'notify'])
    expect(outcome.failure?.code).toBe('conflict')
    expect(outcome.failure?.message).toContain('someone else')
  })

  test('says so when it was written and cannot be read back', async () => {
    const { cloud } = cloudWith({})
    let reads = 0
    const port: TagPort = {
      ...cloud,
      getInstance: async id => {
        reads += 1
        return reads === 1 ? cloud.getInstance(id) : failed(failure('unreachable', 'Nova is away.'))
      },
    }
    const outcome = await markInstance(port, '1', ['notify'])
    expect(outcome.after).toEqual(['notify'])
    expect(outcome.failure?.message).toBe(
      'The mode of vm-1 was set, but Lockkeeper could not read it back: Nova is away.',
    )
  })

  test('touches nothing of an instance whose cell does not answer, or that is not there', async () => {
    const { world, cloud } = cloudWith({ partial: true, vmState: null })
    expect((await markInstance(cloud, '1', ['notify'])).failure?.code).toBe('unreachable')
    expect((await markInstance(cloud, '2', ['notify'])).failure?.code).toBe('not-found')
    expect(world.asked).toEqual([])
  })

  test('says to remove a tag where Nova takes no more', async () => {
    const { cloud } = cloudWith({})
    const output = 'The number of tags exceeded the per-server limit 50'
    const full = { ...failure('bad-input', `Nova says: ${output}`), values: { output } }
    const port: TagPort = { ...cloud, addInstanceTag: async () => failed(full) }
    expect((await markInstance(port, '1', ['notify'])).failure?.message).toContain(
      'Remove a tag that vm-1 no longer needs',
    )
  })
})

import { expect, test } from 'vitest'
import { blockedInBatch } from '../../../shared/domain/batch-blocked.ts'
import { fakeInstance } from '../../fixtures/procedures/fake-world.ts'

const node = (name: string, hostMode: string | null = null) => ({ name, host: name, hostMode })
const facts = {
  nodes: [node('cmp-1'), node('cmp-2')],
  instances: [
    fakeInstance('broken', 'cmp-1', { name: 'broken', status: 'ERROR', vmState: 'error' }),
    fakeInstance('web', 'cmp-1', { name: 'web' }),
    fakeInstance('other', 'cmp-2', { name: 'other', status: 'ERROR', vmState: 'error' }),
  ],
}

test('a batch with an instance that cannot be handled says so, though there is room for the others', () => {
  expect(blockedInBatch(facts, ['cmp-1'])).toEqual({
    rule: 'instance-blocked',
    weight: 'soft',
    nodes: ['cmp-1'],
    breach: { code: 'InstancesBlocked', values: { instances: [{ name: 'broken', node: 'cmp-1' }] } },
  })
})

test('one without any, or whose instances could not be read, says nothing about them', () => {
  expect(blockedInBatch({ ...facts, instances: facts.instances.slice(1, 2) }, ['cmp-1'])).toBeNull()
  expect(blockedInBatch({ ...facts, instances: null }, ['cmp-1'])).toBeNull()
})

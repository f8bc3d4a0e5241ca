import { expect, test } from 'vitest'
import { projectInstance } from '../../../main/clusters/view/board.ts'
import { policyOf } from '../../../main/procedures/steps/compute/classify-instances.ts'
import { fakeCluster, fakeInstance, fakeNode } from '../../fixtures/procedures/fake-world.ts'

test.each(['plain', 'mosk', 'sunbeam'] as const)(
  'an instance of a %s cloud whose live migration is under way is shown as migrating, and blocks a plan all the same',
  flavour => {
    const node = fakeNode('cmp-1')
    const instance = fakeInstance('i-1', 'cmp-1', { status: 'MIGRATING', taskState: 'migrating' })
    expect(projectInstance(instance, node, fakeCluster({ flavour })).action).toBe('migrating')
    expect(policyOf(instance, node).action).toBe('blocked')
  },
)

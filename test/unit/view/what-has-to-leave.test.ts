import { expect, test } from 'vitest'
import { occupancyOfMachine } from '../../../main/clusters/view/machines-outside.ts'
import { fateOf } from '../../../main/procedures/steps/compute/classify-instances.ts'
import { ACTION_TAG_PREFIX } from '../../../shared/domain/instance-tags.ts'
import { instancesLeftIn } from '../../../shared/domain/node-verdict.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { fakeInstance } from '../../fixtures/procedures/fake-world.ts'

const INSTANCES = {
  live_migrate: fakeInstance('a', 'cmp-1'),
  poweroff: fakeInstance('b', 'cmp-1', { tags: [`${ACTION_TAG_PREFIX}poweroff`] }),
  notify: fakeInstance('c', 'cmp-1', { tags: [`${ACTION_TAG_PREFIX}notify`] }),
  ignore: fakeInstance('d', 'cmp-1', { status: 'SHUTOFF', vmState: 'stopped', powerState: 4 }),
  blocked: fakeInstance('e', 'cmp-1', { status: 'ERROR', vmState: 'error' }),
}

test.each([
  ['plain', null, ['live_migrate', 'blocked']],
  ['mosk', null, ['live_migrate', 'blocked']],
  // Watcher moves whatever runs, tagged or not.
  ['sunbeam', null, ['live_migrate', 'poweroff', 'notify', 'blocked']],
  ['sunbeam', 'nova', ['live_migrate', 'blocked']],
  ['plain', 'watcher', ['live_migrate', 'poweroff', 'notify', 'blocked']],
] as const)(
  '%s with strategy %s: a node in maintenance has no instance that is to %j',
  (flavour, strategy, leaving) => {
    const cluster = { flavour, roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, strategy } }
    const hasToLeave = Object.entries(INSTANCES).flatMap(([action, instance]) => {
      const fate = fateOf(instance, { annotations: {} }, cluster)
      const { verdict } = occupancyOfMachine([{ instance, fate }], { returning: [], unread: [], isDrainOnly: false })
      return instancesLeftIn(verdict) === 1 ? [action] : []
    })
    expect(hasToLeave).toEqual(leaving)
  },
)

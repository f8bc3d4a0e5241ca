import { expect, test } from 'vitest'
import { hasToLeave } from '../../../main/view/has-to-leave.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'

const ACTIONS = ['live_migrate', 'poweroff', 'notify', 'ignore', 'blocked'] as const

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
    expect(ACTIONS.filter(action => hasToLeave(action, cluster))).toEqual(leaving)
  },
)

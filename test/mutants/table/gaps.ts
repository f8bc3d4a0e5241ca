import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { OPENSTACK, STEPS } from '../places.ts'

/** Lines of many areas that somebody broke at random and no test noticed: each has its test since. */
export const GAP_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-lock-is-deleted-without-the-lease',
    harm: 'A process that lost the Lease of the controllers deletes the lock that another one relies on.',
    changes: [{ file: 'main/lcm/controllers/hold-lease.ts', from: "deleteLock: 'acts'", to: "deleteLock: 'reads'" }],
    caughtBy: unit(
      'lcm/controllers/hold-lease',
      'locks.deleteLock is sent only while the Lease of the controllers is held',
    ),
  },
  {
    name: 'a-login-tells-the-password',
    harm: 'A Keystone, or a page in between, that repeats the password puts it on the screen.',
    changes: [
      {
        file: `${OPENSTACK}/session-token.ts`,
        from: '    scrub: redactor.text,\n',
        to: '    scrub: text => text,\n',
      },
    ],
    caughtBy: unit(
      'adapters/openstack/login-secrets',
      'a server that repeats the password when it refuses the login does not get it into the failure or the log',
    ),
  },
  {
    name: 'one-undo-hides-the-others',
    harm: 'A run that was undone is shown as it ended, because a later undo has not ended.',
    changes: [
      {
        file: 'main/runs/run-reading.ts',
        from: 'known.value.undid === null) continue',
        to: 'known.value.undid === null) break',
      },
    ],
    caughtBy: unit(
      'runs/run-service',
      'a run that was undone says so, also where a later undo of its node is unfinished or unreadable',
    ),
  },
  {
    name: 'an-osd-that-is-out-runs-unseen',
    harm: 'The instances of a machine that runs are started a second time.',
    changes: [
      {
        file: `${STEPS}/storage/osds-down.ts`,
        from: 'own.filter(osd => osd.up)',
        to: 'own.filter(osd => osd.up && osd.in)',
      },
    ],
    caughtBy: unit(
      'procedures/storage/osds-down',
      'one OSD that is up shows that the machine runs, also where it was taken out',
    ),
  },
  {
    name: 'an-instance-in-error-is-its-owners',
    harm: 'An instance that a move broke passes for one that its owner changed.',
    changes: [
      {
        file: `${STEPS}/compute/migrate-instances.ts`,
        from: "movedAt === undefined || instance.status === 'ERROR'",
        to: 'movedAt === undefined',
      },
    ],
    caughtBy: unit(
      'procedures/evacuation',
      'fails for an instance in ERROR, also where its owner did something to it since',
    ),
  },
  {
    name: 'a-decision-renews-the-attempts-of-all',
    harm: 'What a person decides about one instance makes every failing one be migrated again.',
    changes: [
      {
        file: 'shared/domain/instance-history.ts',
        from: "    if (fact.subject === subject || !fact.subject.startsWith('server/')) instance = allowedAfter",
        to: '    instance = allowedAfter',
      },
    ],
    caughtBy: unit('procedures/evacuation-facts', 'are not renewed where a person decides cold about another instance'),
  },
]

import { simulation } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { ENGINE, KUBERNETES, STEPS } from '../places.ts'

/** What needs two consoles, faults and time together: the simulation has to break a promise. */
export const SIMULATED_MUTANTS: readonly Mutant[] = [
  {
    name: 'simulated-a-lease-of-memory-is-enough',
    harm: 'A console acts on a node in the seconds after another one took it.',
    changes: [
      {
        file: `${ENGINE}/lease-gate.ts`,
        from: 'const looked = await look(lease, trouble, signal)',
        to: 'const looked = isInTime(lease) && !isAwayOrGone(lease) ? ok(momentOf(clock)) : await look(lease, trouble, signal)',
      },
    ],
    caughtBy: simulation(100),
  },
  {
    name: 'simulated-a-lease-expires-by-the-clock-of-its-holder',
    harm: 'A console whose clock is ahead takes a node on which another one works.',
    changes: [
      {
        file: `${KUBERNETES}/leases.ts`,
        from: 'leaseStateOf(holder, seen, clock.monotonicMs())',
        to: "{ ...leaseStateOf(holder, seen, clock.monotonicMs()), freeInMs: Math.max(0, Date.parse(holder.renewedAt ?? '') + holder.durationSeconds * 1000 - clock.now()) }",
      },
    ],
    caughtBy: simulation(100),
  },
  {
    name: 'simulated-one-failed-renewal-is-the-end',
    harm: 'One lost request ends hours of work.',
    changes: [
      {
        file: `${ENGINE}/held-lease.ts`,
        from: 'if (!renewed.ok) return retryIn(lease, renewed.failure)',
        to: 'if (!renewed.ok) return giveUp(lease, takenBy(renewed.failure)) ?? null',
      },
    ],
    caughtBy: simulation(100),
  },
  {
    name: 'simulated-no-second-source-for-instances',
    harm: 'An empty list of instances is enough to call a host empty, and running instances go down with it.',
    changes: [
      {
        file: `${STEPS}/compute/migrate-instances.ts`,
        from: 'const doubt = proofVerdict(proof, [read])',
        to: 'const doubt = null',
      },
    ],
    caughtBy: simulation(600),
  },
  {
    name: 'simulated-an-append-does-not-hear-of-a-full-disk',
    harm: 'An effect follows an event that a full disk never took.',
    changes: [
      {
        file: 'main/journal/run-writer.ts',
        from: 'const [inserted] = orRefused(writing, () => insertEvent.all(',
        to: 'const inserted = orRefused(writing, () => insertEvent.get(',
      },
    ],
    caughtBy: simulation(400),
  },
  {
    name: 'simulated-a-journal-is-judged-without-its-log',
    harm: 'After a kill at the wrong moment a journal counts as foreign, and its run cannot be resumed.',
    changes: [
      {
        file: 'main/journal/open-journal.ts',
        from: 'if (applicationIdOf(database) !== APPLICATION_ID) database.exec(',
        to: 'if (Number.isNaN(applicationIdOf(database))) database.exec(',
      },
      {
        file: 'main/journal/open-journal.ts',
        from: "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;')\n",
        to: "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;')\n    database.exec('PRAGMA application_id = ' + APPLICATION_ID)\n",
      },
      {
        file: 'main/journal/journal-file.ts',
        from: '  const recovered = applicationIdIn(path)\n',
        to: '  if (Number(1) === 1) return own ? FOREIGN : NO_DATABASE\n  const recovered = applicationIdIn(path)\n',
      },
    ],
    caughtBy: simulation(200),
  },
  {
    name: 'simulated-a-handed-over-run-is-taken-back-without-a-look',
    harm: 'A console drives a run on that the runner took over: both work on the node.',
    changes: [
      {
        file: 'main/wings/runner/attach/hand-over.ts',
        from: 'const { handedTo } = view\n  if (handedTo === null) return null',
        to: 'const { handedTo } = view\n  if (handedTo !== undefined) return null',
      },
    ],
    caughtBy: { kind: 'simulation', schedules: 30, options: ['--hand-over'] },
  },
  {
    name: 'simulated-a-campaign-has-no-failure-budget',
    harm: 'A batch of maintenances continues from cloud to cloud after more of them failed than allowed.',
    changes: [
      {
        file: 'main/wings/runner/judge-campaign.ts',
        from: 'const isOut = failed.length > failureBudget',
        to: 'const isOut = failed.length > failureBudget + 500',
      },
    ],
    caughtBy: { kind: 'simulation', schedules: 30, options: ['--campaign'] },
  },
  {
    name: 'simulated-a-batch-is-over-when-it-is-begun',
    harm: 'The next batch of a campaign begins while the one before it is under way.',
    changes: [
      {
        file: 'main/wings/runner/judge-campaign.ts',
        from: "names.some(name => statuses.get(name)?.kind !== 'ended')",
        to: "names.some(name => !['ended', 'under-way'].includes(statuses.get(name)?.kind ?? ''))",
      },
    ],
    caughtBy: { kind: 'simulation', schedules: 30, options: ['--campaign'] },
  },
]

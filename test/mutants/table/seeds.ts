import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { STEPS } from '../places.ts'

/** What the vendors' pages ask for in so many words. */
export const SEED_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-failed-lock-is-waited-for',
    harm: 'A run waits ten minutes for a controller that gave up, and tells nobody.',
    changes: [
      {
        file: `${STEPS}/requests/await-locks.ts`,
        from: 'if (gaveUp.length > 0 &&',
        to: 'if (gaveUp.length > 9 &&',
      },
    ],
    caughtBy: unit(
      'procedures/mosk',
      'entering and leaving through the node maintenance API (seed 003; docs/domain.md A.2 to A.4) seed 001: a lock whose controller gave up is asked about at once, in its own words, whatever kind of sentence they are',
    ),
  },
]

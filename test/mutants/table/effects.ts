import type { Mutant } from '../mutant.ts'

/** The Lease is looked at before every kind of effect (style G26). */
export const EFFECTS: readonly Mutant[] = [
  {
    name: 'port-calls-are-not-fenced',
    harm: 'A run that lost its node to another console goes on to change the cloud.',
    changes: [
      {
        file: 'main/procedures/steps/general/fenced-world.ts',
        from: "deeds[name] === 'acts' ? behind(gate, call as Call, port) : call",
        to: 'call',
      },
    ],
    caughtBy: {
      kind: 'test',
      file: 'test/unit/procedures/fenced-world.test.ts',
      title: 'is kept back where the Lease does not hold',
    },
  },
]

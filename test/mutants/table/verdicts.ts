import { simulation, unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { STEPS } from '../places.ts'

const VERDICT = 'shared/domain/node-verdict.ts'
const LOOK = `${STEPS}/general/read-verdict.ts`

/** A node is empty only if nothing on it runs, returns or can be reverted to it, and the end of a run is true. */
export const VERDICT_MUTANTS: readonly Mutant[] = [
  {
    name: 'what-was-not-read-is-empty',
    harm: 'A node is powered off although Nova never said what runs on it.',
    changes: [
      {
        file: VERDICT,
        from: "  if (unread.length > 0) return { kind: 'Unknown', at, looked, unread: [...unread] }\n  const off",
        to: '  const off',
      },
    ],
    caughtBy: unit('domain/node-verdict', 'a node is empty never by what was not read'),
  },
  {
    name: 'what-can-be-reverted-is-away',
    harm: 'A resize is reverted onto a machine that was powered off as empty.',
    changes: [
      {
        file: VERDICT,
        from: "  if (instance.vmState === 'resized')",
        to: "  if (instance.vmState === 'resized' && instance.taskState !== null)",
      },
    ],
    caughtBy: unit(
      'procedures/node-verdict',
      'the last look at a node that was taken out one left by a cold migration that nobody confirmed',
    ),
  },
  {
    name: 'what-comes-is-not-here',
    harm: 'A node is powered off while an instance arrives on it.',
    changes: [
      {
        file: VERDICT,
        from: "  if (destHost === host && UNDER_WAY.has(status) && instance.taskState !== null) return 'Arriving'\n",
        to: '',
      },
    ],
    caughtBy: unit('procedures/node-verdict', 'the last look at a node that was taken out one is on its way to it'),
  },
  {
    name: 'pods-do-not-count',
    harm: 'A node is called empty with pods on it that had to leave.',
    changes: [{ file: VERDICT, from: 'here.length > 0 || podsHere.length > 0', to: 'here.length > 0' }],
    caughtBy: unit(
      'procedures/node-verdict',
      'the last look at a node that was taken out a pod that had to leave is there',
    ),
  },
  {
    name: 'an-unproved-list-is-empty',
    harm: 'A list that lacks instances makes a node empty.',
    changes: [
      {
        file: LOOK,
        from: "...(proof.kind === 'proved'\n      ? []\n      : [{ what: 'instances', code: 'NotProved'",
        to: "...(proof.kind !== 'contradicted'\n      ? []\n      : [{ what: 'instances', code: 'NotProved'",
      },
    ],
    caughtBy: unit(
      'procedures/node-verdict',
      'the last look at a node that was taken out nothing in the whole cloud proves the list',
    ),
  },
  {
    name: 'a-lost-compute-service-hosts-nothing',
    harm: 'Nova lost the service of a host, and its instances count as absent.',
    changes: [
      {
        file: LOOK,
        from: 'if (service === null) return computes ? { ...nothing, unread: [missingService(node.name)] } : nothing',
        to: 'if (service === null) return nothing',
      },
    ],
    caughtBy: unit(
      'procedures/node-verdict',
      'the last look at a node that was taken out Nova has lost its compute service',
    ),
  },
  {
    name: 'a-silent-cloud-ends-the-look',
    harm: 'A stumble of Nova makes the end of a run unknown, though it answers a second later.',
    changes: [{ file: LOOK, from: 'return failures.find(isPassing) ?? null', to: 'return null' }],
    caughtBy: unit(
      'procedures/node-verdict',
      'the last look at a node that was taken out a cloud that does not answer is read again, without a report',
    ),
  },
  {
    name: 'another-s-disable-is-in-service',
    harm: 'A node that somebody else keeps disabled is reported as in service.',
    changes: [
      {
        file: VERDICT,
        from: "  if (by.length > 0) return { kind: 'HeldBack'",
        to: "  if (by.length > 9) return { kind: 'HeldBack'",
      },
    ],
    caughtBy: unit(
      'procedures/node-verdict',
      'the last look at a node that was brought back somebody disabled nova-compute',
    ),
  },
  {
    name: 'an-override-ends-green',
    harm: 'A run that was started in spite of a failed check looks like a clean one.',
    changes: [
      {
        file: 'shared/words/run-ending.ts',
        from: "return ending.accepted.length === 0 ? 'good' : 'attention'",
        to: "return ending.accepted.length < 9 ? 'good' : 'attention'",
      },
    ],
    caughtBy: unit('domain/run-ending', 'how a run ends empty in spite of a failed check'),
  },
  {
    name: 'left-running-is-reached',
    harm: 'A script powers off a node with customers on it: the exit code was 0.',
    changes: [
      {
        file: VERDICT,
        from: "code === 'StopsWithNode' || code === 'StaysByScope')\n}",
        to: "code === 'StopsWithNode' || code === 'StaysByScope' || code === 'StillRuns')\n}",
      },
    ],
    caughtBy: unit('domain/run-ending', 'how a run ends an instance runs'),
  },
  {
    name: 'an-old-answer-shows-empty',
    harm: 'The map calls a node empty by a list that is minutes old.',
    changes: [
      {
        file: 'main/clusters/view/project-node.ts',
        from: "...(isKnown ? [] : [unheard('instances')]),",
        to: '',
      },
    ],
    caughtBy: unit(
      'view/live-view',
      'what cannot be asked does not count as gone: while a cell of Nova is silent, no node is called empty',
    ),
  },
  {
    name: 'running-instances-are-off',
    harm: 'A run ends with "safe to power off" while customers run on the node.',
    changes: [
      { file: VERDICT, from: "  if (fate === 'ignore') return null", to: "  if (fate !== 'blocked') return null" },
    ],
    caughtBy: simulation(60),
  },
]

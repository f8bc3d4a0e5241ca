import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { STEPS } from '../places.ts'

const NAMES = 'shared/domain/machine-names.ts'
const AGENTS = 'shared/domain/agents-of-node.ts'
const HYPERVISORS = 'shared/domain/hypervisors-of-node.ts'

/** Every record of a machine counts: two live claims block, and a dead record beside a live one is left over. */
export const RECORD_MUTANTS: readonly Mutant[] = [
  {
    name: 'node-found-by-a-prefix',
    harm: 'The records of cmp-10 count as those of cmp-1.',
    changes: [
      {
        file: NAMES,
        from: 'return name !== null && labels.has(firstLabel(name)) && !foreign.has(name)',
        to: 'return name !== null && [...labels].some(label => name.startsWith(label)) && !foreign.has(name)',
      },
    ],
    caughtBy: unit('domain/machine-names', 'records of a node all that fit'),
  },
  {
    name: 'record-of-another-node-taken',
    harm: 'A record with exactly the name of another node counts as one of this node.',
    changes: [
      {
        file: NAMES,
        from: 'labels.has(firstLabel(name)) && !foreign.has(name)',
        to: 'labels.has(firstLabel(name)) && foreign.size >= 0',
      },
    ],
    caughtBy: unit('domain/machine-names', 'records of a node none of another node of that very name'),
  },
  {
    name: 'dead-compute-record-used',
    harm: 'A dead record of nova-compute that a rename left counts, and the node passes for empty.',
    changes: [
      {
        file: `${STEPS}/compute/compute-host.ts`,
        from: "return ranked.find(({ state }) => state === 'up') ?? ranked[0] ?? null",
        to: 'return ranked[0] ?? null',
      },
    ],
    caughtBy: unit(
      'procedures/compute-records',
      'several records of one machine in Nova, on enter the one that fits best is a leftover, the other lives',
    ),
  },
  {
    name: 'two-live-computes-pass',
    harm: 'Two live records of one nova-compute are taken for one and a leftover, and one half of the instances is not seen.',
    changes: [
      {
        file: `${STEPS}/compute/compute-records.ts`,
        from: "const isLeftover = own.state === 'up' && others.every(({ state }) => state === 'down')",
        to: "const isLeftover = own.state === 'up'",
      },
    ],
    caughtBy: unit('procedures/compute-records', 'several records of one machine in Nova, on enter both live'),
  },
  {
    name: 'two-dead-computes-pass',
    harm: 'Of two dead records of one nova-compute one is taken, though nobody knows under which the instances are.',
    changes: [
      {
        file: `${STEPS}/compute/compute-records.ts`,
        from: "const isLeftover = own.state === 'up' && others.every(({ state }) => state === 'down')",
        to: "const isLeftover = others.every(({ state }) => state === 'down')",
      },
    ],
    caughtBy: unit('procedures/compute-records', 'several records of one machine in Nova, on rescue both are dead'),
  },
  {
    name: 'double-of-a-node-not-looked-for',
    harm: 'A second record of a node under its FQDN is in no list of claims.',
    changes: [
      {
        file: `${STEPS}/compute/compute-host.ts`,
        from: '.filter(host => host !== own)',
        to: ".filter(host => host !== own && host === '')",
      },
    ],
    caughtBy: unit('procedures/compute-records', 'several records of one machine in Nova, on leave both live'),
  },
  {
    name: 'two-live-agents-pass',
    harm: 'Two agents of one kind that report under two names of a node block nothing.',
    changes: [
      {
        file: AGENTS,
        from: 'new Set(live.map(({ host }) => host)).size > 1',
        to: 'new Set(live.map(({ host }) => host)).size > 2',
      },
    ],
    caughtBy: unit('procedures/compute-records', 'several agents of one kind in Neutron, on enter two live'),
  },
  {
    name: 'dead-agent-waited-for',
    harm: 'A node never comes back because the console waits for a dead record of its agent beside the one that reports.',
    changes: [
      {
        file: AGENTS,
        from: "const leftovers = claims.kind === 'one' ? claims.leftovers : []",
        to: "const leftovers = claims.kind === 'one' ? claims.leftovers.slice(9) : []",
      },
    ],
    caughtBy: unit(
      'procedures/compute-records',
      'agents of a node that is on its way back one that reports beside a leftover is back',
    ),
  },
  {
    name: 'agent-of-another-node-claims',
    harm: 'An agent of another node blocks the maintenance of this one.',
    changes: [
      {
        file: `${STEPS}/compute/agent-records.ts`,
        from: 'return nodes.ok ? ok(agentsOf(names, own, namesOfOthers(node, nodes.value))) : nodes',
        to: 'return nodes.ok ? ok(agentsOf(names, own, [])) : nodes',
      },
    ],
    caughtBy: unit(
      'procedures/compute-records',
      'several agents of one kind in Neutron, on enter an agent under the very name of another node belongs to that node',
    ),
  },
  {
    name: 'live-hypervisor-elsewhere-passes',
    harm: 'A live hypervisor record of a node under another nova-compute is taken for a leftover.',
    changes: [
      {
        file: `${STEPS}/compute/hypervisor-records.ts`,
        from: "const live = elsewhere.filter(each => each.state === 'up')",
        to: "const live = elsewhere.filter(each => each.id === '')",
      },
    ],
    caughtBy: unit(
      'procedures/compute-records',
      'hypervisor records of a node, on enter one under another nova-compute that is up',
    ),
  },
  {
    name: 'hypervisor-count-passed-over',
    harm: 'A node passes for empty although its hypervisor record counts instances that the list does not show.',
    changes: [
      {
        file: HYPERVISORS,
        from: 'if (ids.length > 0) return { instances: ids.length, ids }',
        to: 'if (ids.length > 99) return { instances: ids.length, ids }',
      },
    ],
    caughtBy: unit(
      'procedures/node-verdict',
      'what Nova counts by its hypervisor record two instances that the list does not show',
    ),
  },
  {
    name: 'silent-hypervisors-pass',
    harm: 'A node passes for empty although Nova did not answer for its hypervisor record.',
    changes: [
      {
        file: `${STEPS}/compute/hypervisor-records.ts`,
        from: "records.failure.code === 'not-permitted' ? NOTHING : failing(records.failure)",
        to: "records.failure.code === '' ? failing(records.failure) : NOTHING",
      },
    ],
    caughtBy: unit(
      'procedures/node-verdict',
      'what Nova counts by its hypervisor record a Nova that does not answer for them proves nothing',
    ),
  },
]

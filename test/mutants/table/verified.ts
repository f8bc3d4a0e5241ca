import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { STEPS } from '../places.ts'

/** A step is done when the world shows it, and a run when all of its steps do (style G19). */
export const VERIFY_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-cordon-is-not-verified',
    harm: 'Pods come back to a node that somebody uncordoned, and nobody says so.',
    changes: [
      {
        file: `${STEPS}/general/cordon-node.ts`,
        from: "return isCordoned(node.value).holds === 'holds'\n",
        to: "return isCordoned(node.value).holds !== 'unknown'\n",
      },
    ],
    caughtBy: unit(
      'procedures/verifies',
      "a step is verified by the world alone 'cordon-node', where 'somebody uncordoned the node': 'fails'",
    ),
  },
  {
    name: 'a-drain-is-not-verified',
    harm: 'Work starts on a node while pods run there.',
    changes: [
      {
        file: `${STEPS}/general/drain-node.ts`,
        from: '    if (left.length > 0) ',
        to: '    if (left.length > 9_999) ',
      },
    ],
    caughtBy: unit(
      'procedures/verifies',
      "a step is verified by the world alone 'drain-node', where 'a pod that had to leave is left': 'fails'",
    ),
  },
  {
    name: 'a-disabled-nova-is-not-verified',
    harm: 'Nova places new instances on a node in maintenance, and nobody says so.',
    changes: [
      {
        file: `${STEPS}/compute/disable-compute.ts`,
        from: "if (isDisabledAndUp(service.value, false).holds === 'holds') {",
        to: "if (isDisabledAndUp(service.value, false).holds !== 'unknown') {",
      },
    ],
    caughtBy: unit(
      'procedures/verifies',
      "a step is verified by the world alone 'disable-compute', where 'somebody enabled it': 'fails'",
    ),
  },
  {
    name: 'an-enabled-nova-is-not-verified',
    harm: 'A node counts as back in service while its nova-compute is disabled.',
    changes: [
      {
        file: `${STEPS}/compute/enable-compute.ts`,
        from: "return fails(fault('ComputeStillDisabled',",
        to: "return holds(host, seen) ?? fails(fault('ComputeStillDisabled',",
      },
    ],
    caughtBy: unit(
      'procedures/verifies',
      "a step is verified by the world alone 'enable-compute', where 'it is disabled by us': 'fails'",
    ),
  },
  {
    name: 'an-enabled-nova-that-is-down-counts',
    harm: 'A node counts as back in service while its nova-compute is down.',
    changes: [
      {
        file: `${STEPS}/compute/enable-compute.ts`,
        from: "if (status === 'enabled' && state === 'up') return holds",
        to: "if (status === 'enabled') return holds",
      },
    ],
    caughtBy: unit(
      'procedures/verifies',
      "a step is verified by the world alone 'enable-compute', where 'it is enabled and down': 'fails'",
    ),
  },
  {
    name: 'instances-left-are-not-seen',
    harm: 'Work starts on a host while instances that had to leave run there.',
    changes: [
      {
        file: `${STEPS}/compute/migrate-instances.ts`,
        from: '    if (left.length > 0) {\n      const instances',
        to: '    if (left.length > 9_999) {\n      const instances',
      },
    ],
    caughtBy: unit(
      'procedures/cold-moves',
      'migration ruled out by the operator an instance that runs again afterwards is found by verify',
    ),
  },
  {
    name: 'how-an-instance-arrived-is-not-verified',
    harm: 'An instance that arrived in ERROR counts as moved.',
    changes: [
      {
        file: `${STEPS}/compute/migrate-instances.ts`,
        from: '  if (wrong.length > 0) {\n',
        to: '  if (wrong.length > 9_999) {\n',
      },
    ],
    caughtBy: unit(
      'procedures/evacuation',
      'verifying that a host is empty of what had to move holds only when each moved instance is as it was before, on another host',
    ),
  },
  {
    name: 'inactive-locks-are-not-verified',
    harm: 'A node is touched although an application is not ready.',
    changes: [
      {
        file: `${STEPS}/requests/node-locks-inactive.ts`,
        from: '    return open.length === 0\n      ? holds',
        to: '    return open.length < 9_999\n      ? holds',
      },
    ],
    caughtBy: unit('procedures/absence', 'absence of locks a lock was created again and is active'),
  },
  {
    name: 'an-inactive-cluster-lock-is-not-verified',
    harm: 'An update continues although an application is not ready for it.',
    changes: [
      {
        file: `${STEPS}/requests/cluster-lock-inactive.ts`,
        from: '    return open.length === 0\n      ? holds',
        to: '    return open.length < 9_999\n      ? holds',
      },
    ],
    caughtBy: unit(
      'procedures/rolling/cluster-steps',
      'applications others are all that are neither OpenStack nor Ceph; none at all is fine, a missing named one is not',
    ),
  },
  {
    name: 'a-request-that-vanished-is-not-seen',
    harm: 'A run continues although somebody removed its maintenance request.',
    changes: [
      {
        file: `${STEPS}/requests/node-locks-inactive.ts`,
        from: '          requests.some(request => request.deletingSince === null) ? null',
        to: '          requests.length >= 0 ? null',
      },
    ],
    caughtBy: unit(
      'procedures/mosk',
      'entering and leaving through the node maintenance API (seed 003; docs/domain.md A.2 to A.4) the run notices that somebody removed the request, and does not rely on the locks',
    ),
  },
  {
    name: 'stopped-osds-are-not-verified',
    harm: 'OSDs that somebody started again count as stopped.',
    changes: [
      {
        file: `${STEPS}/storage/osds-step.ts`,
        from: 'if (off.length > 0) return fails(',
        to: 'if (off.length > 9_999) return fails(',
      },
    ],
    caughtBy: unit(
      'procedures/storage/osds',
      'rook: OSDs that somebody started again, or that stay down, are seen by verify',
    ),
  },
  {
    name: 'noout-is-not-verified',
    harm: 'Ceph copies the data of a node in maintenance, because somebody removed noout.',
    changes: [
      {
        file: `${STEPS}/storage/set-noout.ts`,
        from: 'if (bare.length > 0) return fails(',
        to: 'if (bare.length > 9_999) return fails(',
      },
    ],
    caughtBy: unit(
      'procedures/storage/noout',
      'noout goes to the node that needs it (seed 004, storage role) verify fails when somebody removed it, and when nothing notes who needs it',
    ),
  },
  {
    name: 'who-needs-noout-is-not-verified',
    harm: 'The next node that leaves takes noout from one in maintenance.',
    changes: [
      {
        file: `${STEPS}/storage/set-noout.ts`,
        from: 'if (ctx.world.microceph !== null && own.length > 0 && heldBy === null) {',
        to: 'if (ctx.world.microceph !== null && own.length < 0 && heldBy === null) {',
      },
    ],
    caughtBy: unit(
      'procedures/storage/noout',
      'noout goes to the node that needs it (seed 004, storage role) verify fails when somebody removed it, and when nothing notes who needs it',
    ),
  },
  {
    name: 'noout-left-behind-is-not-verified',
    harm: 'noout stays set for ever, and Ceph replaces no broken OSD.',
    changes: [
      {
        file: `${STEPS}/storage/unset-noout.ts`,
        from: 'if (everywhere && others.length === 0 && isOurs(read.value, ctx)) return fails',
        to: 'if (everywhere && others.length < 0 && isOurs(read.value, ctx)) return fails',
      },
    ],
    caughtBy: unit(
      'procedures/storage/noout',
      'noout goes to the node that needs it (seed 004, storage role) after a leave, verify sees a flag of the host that came back, and one of all of Ceph that is missing or not needed',
    ),
  },
  {
    name: 'one-exit-bares-the-others',
    harm: 'MicroCeph’s exit of one node removes noout from another that is in maintenance.',
    changes: [
      {
        file: `${STEPS}/storage/noout-changes.ts`,
        from: 'await bridge(before.value, ctx)',
        to: 'await bridge({ ...before.value, others: [] }, ctx)',
      },
    ],
    caughtBy: unit(
      'procedures/storage/noout',
      "who needs noout of all of Ceph while MicroCeph ends one node's maintenance, the other node is under the flag of its own host",
    ),
  },
]

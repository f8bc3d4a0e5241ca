import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { ENGINE, KUBERNETES, STEPS } from '../places.ts'

/** How often something is tried, how much happens at the same time, and what may be sent again. */
export const LIMIT_MUTANTS: readonly Mutant[] = [
  {
    name: 'attempts-begin-anew-with-each-process',
    harm: 'Each resume migrates a failing instance as often again.',
    changes: [
      {
        file: 'shared/domain/instance-history.ts',
        from: 'return { ...instance, mayTryOnceMore: true }',
        to: 'return { ...instance, mayTryOnceMore: true, attemptsSinceAnswer: 0 }',
      },
    ],
    caughtBy: unit(
      'procedures/evacuation',
      'evacuating a compute host makes one attempt more for a person who resumes a run that failed',
    ),
  },
  {
    name: 'attempts-have-no-end',
    harm: 'A failing instance is migrated again and again.',
    changes: [
      {
        file: `${STEPS}/compute/evacuation-facts.ts`,
        from: 'return attemptsSinceAnswer < attempts || mayTryOnceMore',
        to: 'return (attempts > 0 && attemptsSinceAnswer >= 0) || mayTryOnceMore',
      },
    ],
    caughtBy: unit(
      'procedures/evacuation-facts',
      'the attempts of an instance, once all are used up are renewed where a person decides abort-and-retry: true',
    ),
  },
  {
    name: 'every-resume-gives-one-more',
    harm: 'A run that only waited gives each instance one more attempt at every resume.',
    changes: [
      {
        file: `${ENGINE}/run-engine.ts`,
        from: "if (view.state.kind === 'finished' && view.state.outcome === 'failed') allowOneMoreTry(view, record)",
        to: 'allowOneMoreTry(view, record)',
      },
      {
        file: `${ENGINE}/run-engine.ts`,
        from: "    if (state !== 'failed') continue\n",
        to: "    if (state === 'verified' || state === 'skipped') continue\n",
      },
    ],
    caughtBy: unit(
      'runs/engine/open-questions',
      'killed at any write and resumed ten times, no instance is ever asked to move more often than the budget says',
    ),
  },
  {
    name: 'a-refusal-by-policy-is-tried-again',
    harm: 'A migration that a rule forbids is requested again.',
    changes: [
      {
        file: `${STEPS}/compute/move-attempt.ts`,
        from: "return code === 'not-permitted' || code === 'unauthenticated'",
        to: "return code === 'unauthenticated'",
      },
    ],
    caughtBy: unit(
      'procedures/cold-moves',
      'stopped instances that are to move too that Nova’s policy forbids to migrate end the step at once',
    ),
  },
  {
    name: 'members-of-a-group-move-together',
    harm: 'All members of an anti-affinity group are on the move at the same time.',
    changes: [
      {
        file: `${STEPS}/compute/instance-pool.ts`,
        from: '    for (const group of instance.serverGroupIds) busyGroups.add(group)\n',
        to: '',
      },
    ],
    caughtBy: unit(
      'procedures/evacuation',
      'evacuating a compute host never moves two members of one server group at once (domain.md E.10)',
    ),
  },
  {
    name: 'more-instances-at-once-than-allowed',
    harm: 'More instances move at once than the operator allowed.',
    changes: [
      {
        file: `${STEPS}/compute/instance-pool.ts`,
        from: 'while (running.size < concurrency) {',
        to: 'while (running.size <= concurrency) {',
      },
    ],
    caughtBy: unit(
      'procedures/evacuation',
      'evacuating a compute host stops at once when a rule forbids live migration',
    ),
  },
  {
    name: 'one-node-too-many',
    harm: 'A batch takes one node more at once than it may.',
    changes: [
      {
        file: `${ENGINE}/walk-batch.ts`,
        from: 'running.size < batch.atOnce &&',
        to: 'running.size <= batch.atOnce &&',
      },
    ],
    caughtBy: unit(
      'runs/engine/lanes',
      'lanes of a batch run side by side, never more than the batch allows, each in its own order; what follows waits for all',
    ),
  },
  {
    name: 'one-controller-node-too-many',
    harm: 'Two controller nodes are in maintenance at the same time.',
    changes: [
      {
        file: `${STEPS}/requests/lock-limits.ts`,
        from: 'if (holding.length < limits[role]) continue',
        to: 'if (holding.length <= limits[role]) continue',
      },
    ],
    caughtBy: unit(
      'procedures/mosk-checks',
      'before a request is made, these do not hold: docs/domain.md A.4: another role is at its limit, which holds back every node, unless roles are counted on their own',
    ),
  },
  {
    name: 'thirty-computes-by-default',
    harm: 'Several compute nodes are in maintenance at the same time though nobody raised the limit of one lock.',
    changes: [
      {
        file: 'shared/domain/maintenance-api.ts',
        from: 'export const SEED_COMPUTE_MAX = 1\n',
        to: 'export const SEED_COMPUTE_MAX = 30\n',
      },
    ],
    caughtBy: unit(
      'domain/batches-rules',
      'the limits per role by default are the seed’s rule ("only one nodeworkloadlock object at a time in the inactive state", seed 000)',
    ),
  },
  {
    name: 'begun-nodes-are-counted-by-their-labels',
    harm: 'Who removes the label of a node in maintenance lets a second one go.',
    changes: [
      {
        file: `${STEPS}/requests/lock-limits.ts`,
        from: 'const reported = [...openstackRolesOf(labels ?? {}, rules), ...openstackRolesOf(originalLabels(lock), rules)]',
        to: 'const reported = openstackRolesOf(labels ?? {}, rules)',
      },
    ],
    caughtBy: unit(
      'domain/batches-rules',
      'the limits per role count a started node by its lock: removed labels come from the copy on the lock, and a node without a role counts in each',
    ),
  },
  {
    name: 'a-begun-node-without-roles-is-not-counted',
    harm: 'A node in maintenance whose labels nobody knows is not counted, and a second one goes.',
    changes: [
      {
        file: `${STEPS}/requests/lock-limits.ts`,
        from: 'roles: roles.length > 0 ? roles : LIMITED_ROLES }',
        to: 'roles }',
      },
    ],
    caughtBy: unit(
      'domain/batches-rules',
      'the limits per role count a started node by its lock: removed labels come from the copy on the lock, and a node without a role counts in each',
    ),
  },
  {
    name: 'a-lock-without-its-node-is-not-counted',
    harm: 'A node that the list does not name counts as back, and a second one goes.',
    changes: [
      {
        file: 'main/lcm/controllers/node-context.ts',
        from: 'other !== name && lock !== null && (isBegun',
        to: 'other !== name && node !== null && lock !== null && (isBegun',
      },
    ],
    caughtBy: unit(
      'lcm/controllers/openstack-controller',
      'limits seed 000: one lock inactive at a time is counted by locks: taking away its node makes room for no second',
    ),
  },
  {
    name: 'a-compute-of-another-zone-is-taken',
    harm: 'Two availability zones lose a compute node at the same time.',
    changes: [
      {
        file: `${STEPS}/requests/lock-limits.ts`,
        from: 'if (first.zone !== node.zone) {',
        to: "if (first.zone === '') {",
      },
    ],
    caughtBy: unit(
      'procedures/mosk-checks',
      'before a request is made, these do not hold: docs/domain.md A.4: a compute of another availability zone is in maintenance',
    ),
  },
  {
    name: 'two-nodes-of-tungsten-fabric',
    harm: 'Two nodes of Tungsten Fabric are in maintenance at the same time.',
    changes: [
      {
        file: 'main/lcm/controllers/tungstenfabric.ts',
        from: 'if (other === undefined) return null',
        to: 'if (other === undefined || started.length < 9) return null',
      },
    ],
    caughtBy: unit(
      'lcm/controllers/tungstenfabric-controller',
      'the Tungsten Fabric controller docs/domain.md A.4: no other node while any lock of Tungsten Fabric is inactive',
    ),
  },
  {
    name: 'two-nodes-of-stacklight',
    harm: 'Two nodes of StackLight are in maintenance at the same time.',
    changes: [
      {
        file: 'main/lcm/controllers/stacklight.ts',
        from: 'if (other === undefined) return null',
        to: 'if (other === undefined || started.length < 9) return null',
      },
    ],
    caughtBy: unit(
      'lcm/controllers/stacklight-controller',
      'seed 003, other applications: the StackLight controller one node at a time; it is active again when what runs there is ready and no replica is left without a node',
    ),
  },
  {
    name: 'drains-ask-without-measure',
    harm: 'A drain sends hundreds of evictions to the API server at once.',
    changes: [
      {
        file: `${KUBERNETES}/drain.ts`,
        from: 'places: createInFlight(DRAIN_REQUESTS_AT_ONCE),',
        to: 'places: createInFlight(DRAIN_REQUESTS_AT_ONCE * 100),',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/drain',
      '5.6 where we deliberately differ V7: at most 20 requests are in flight, while the drain waits for any number of pods',
    ),
  },
  {
    name: 'a-change-that-may-be-done-is-sent-again',
    harm: 'A migration whose connection broke is requested twice.',
    changes: [
      {
        file: 'main/adapters/http/retry.ts',
        from: 'return isPassing(outcome.code) && (isRead || !outcome.sent)',
        to: 'return isPassing(outcome.code)',
      },
    ],
    caughtBy: unit(
      'adapters/http/retry',
      'a connection that broke: a read is sent again, a change only when it was certainly not begun',
    ),
  },
  {
    name: 'a-change-is-sent-again-after-an-error',
    harm: 'A request that a failing server may have carried out is sent again.',
    changes: [
      {
        file: 'main/adapters/http/retry.ts',
        from: 'return isRead && (outcome.status === 413 ||',
        to: 'return (outcome.status === 413 ||',
      },
    ],
    caughtBy: unit('adapters/http/retry', '413: a read is sent again, a change only when it was certainly not begun'),
  },
  {
    name: 'what-never-passes-is-waited-for',
    harm: 'A run waits five minutes for a refusal that no waiting changes.',
    changes: [
      {
        file: `${ENGINE}/transient-retry.ts`,
        from: "return failure.retryable || failure.code === 'unauthenticated'",
        to: "return failure.code !== 'aborted'",
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      'a look at the lease that is refused by a rule ends the step at once, with what it said',
    ),
  },
  {
    name: 'output-grows-without-a-bound',
    harm: 'A command that prints without an end fills the disk of the console.',
    changes: [
      {
        file: 'main/adapters/commands/kept-output.ts',
        from: 'if (sinceLook < KEPT_OUTPUT_BYTES) return',
        to: 'if (sinceLook > 0) return',
      },
    ],
    caughtBy: unit('adapters/commands/machine-commands', 'that prints without an end never has more than a little'),
  },
]

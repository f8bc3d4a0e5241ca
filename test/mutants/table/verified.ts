import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { ENGINE, STEPS } from '../places.ts'

/** A step is done when the world shows it, and a run when all of its steps do (style G19). */
export const VERIFY_MUTANTS: readonly Mutant[] = [
  {
    name: 'an-enabled-nova-is-not-verified',
    harm: 'A node counts as back in service while its nova-compute is disabled.',
    changes: [
      {
        file: `${STEPS}/compute/enable-compute.ts`,
        from: '    return fails(\n      `nova-compute on ${host} is still disabled',
        to: '    return holds(`nova-compute on ${host}`, seen) ?? fails(\n      `nova-compute on ${host} is still disabled',
      },
    ],
    caughtBy: unit(
      'procedures/checks',
      "the compute service is enabled again when Watcher's host maintenance disabled it (docs/domain.md B.2: watcher_maintaining)",
    ),
  },
  {
    name: 'instances-left-are-not-seen',
    harm: 'A host is worked on while instances that had to leave run there.',
    changes: [
      {
        file: `${STEPS}/compute/migrate-instances.ts`,
        from: '    if (left.length > 0) {\n      return fails(',
        to: '    if (left.length > 9_999) {\n      return fails(',
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
        from: '  if (wrong.length > 0)\n',
        to: '  if (wrong.length > 9_999)\n',
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
    caughtBy: unit('procedures/absence', 'absence of locks a lock was made anew and is active'),
  },
  {
    name: 'an-inactive-cluster-lock-is-not-verified',
    harm: 'An update goes on although an application is not ready for it.',
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
    harm: 'A run goes on although somebody removed its maintenance request.',
    changes: [
      {
        file: `${STEPS}/requests/node-locks-inactive.ts`,
        from: '          found.requests.some(request => request.deletingSince === null)\n',
        to: '          found.requests.length >= 0\n',
      },
    ],
    caughtBy: unit(
      'procedures/mosk',
      'entering and leaving through the node maintenance API (seed 003; docs/domain.md A.2 to A.4) whoever removes the request meanwhile is noticed: the run does not go on as if the locks held',
    ),
  },
  {
    name: 'stopped-osds-are-not-verified',
    harm: 'OSDs that somebody started again count as stopped.',
    changes: [
      {
        file: `${STEPS}/storage/osds-step.ts`,
        from: '      if (off.length > 0)\n        return fails(',
        to: '      if (off.length > 9_999)\n        return fails(',
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
        from: '    if (bare.length > 0) {',
        to: '    if (bare.length > 9_999) {',
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
        from: 'if (everywhere && others.length === 0 && isOurs(read.value, ctx)) {\n      return fails',
        to: 'if (everywhere && others.length < 0 && isOurs(read.value, ctx)) {\n      return fails',
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
      "who needs noout of all of Ceph while MicroCeph ends one node's maintenance, the other node is under a flag of its own host",
    ),
  },
  {
    name: 'a-run-is-done-whatever-the-last-look-shows',
    harm: 'A run is called done although the last look found something undone.',
    changes: [
      {
        file: `${ENGINE}/drive-run.ts`,
        from: 'if (failing.length + untold.length > 0) {',
        to: 'if (failing.length + untold.length > 9_999) {',
      },
    ],
    caughtBy: unit('runs/engine/promises', 'a run is done exactly when every verify holds at the end'),
  },
  {
    name: 'what-cannot-be-told-counts-as-so',
    harm: 'A run is called done although nobody could tell whether it is so.',
    changes: [
      {
        file: `${ENGINE}/drive-run.ts`,
        from: 'if (failing.length + untold.length > 0) {',
        to: 'if (failing.length > 0) {',
      },
    ],
    caughtBy: unit('runs/engine/promises', 'a run is done exactly when every verify holds at the end'),
  },
  {
    name: 'a-verify-that-never-answers-holds',
    harm: 'A look that got no answer counts as one that saw it.',
    changes: [
      {
        file: `${ENGINE}/apply-step.ts`,
        from: 'return answer === \'hung\' ? fault(`"${planned.title}" could not be verified: no answer came.`) : answer',
        to: "return answer === 'hung' ? { kind: 'holds', reason: '', evidence: [] } : answer",
      },
    ],
    caughtBy: unit(
      'runs/engine/defences',
      'a step that does not listen a verify that never answers is not taken for one that holds',
    ),
  },
  {
    name: 'a-verify-that-crashes-holds',
    harm: 'A look that failed on our own side counts as one that saw it.',
    changes: [
      {
        file: `${ENGINE}/apply-step.ts`,
        from: '    return fault(crashOf(planned, error, log).message)\n',
        to: "    return { kind: 'holds', reason: crashOf(planned, error, log).message, evidence: [] }\n",
      },
    ],
    caughtBy: unit(
      'runs/engine/run-engine',
      'what cannot be told a verify that crashes cannot tell; it does not say that the thing is not so',
    ),
  },
  {
    name: 'a-step-is-not-verified-before-the-next',
    harm: 'A node is drained although it is not cordoned.',
    changes: [
      {
        file: `${ENGINE}/walk-step.ts`,
        from: "return step.verifyEarly && step.verbs.includes('verify') ? verifyEarly(step, known, drive) : null",
        to: 'void verifyEarly\n  return null',
      },
    ],
    caughtBy: unit(
      'runs/engine/lanes',
      'lanes of a batch may each have a question open; the run waits until the last is answered',
    ),
  },
  {
    name: 'a-resumed-run-believes-its-journal',
    harm: 'A resumed run goes on although somebody undid what it had done.',
    changes: [
      {
        file: `${ENGINE}/walk-step.ts`,
        from: "if (answer.kind !== 'holds') return false",
        to: "if (answer.kind !== 'holds') return true",
      },
    ],
    caughtBy: unit(
      'runs/hand-over',
      'whoever takes a run over (true) verifies each step again that was told to be done, and does again what is not so',
    ),
  },
  {
    name: 'a-check-that-crashes-passes',
    harm: 'A run begins although a check could not look.',
    changes: [
      {
        file: `${ENGINE}/check-plan.ts`,
        from: "blockers: [{ code: 'check-crashed', message, remedy, override, ...more }],",
        to: 'blockers: [],',
      },
    ],
    caughtBy: unit(
      'runs/engine/defences',
      'a step that does not listen a check that never answers blocks, and nothing may override it',
    ),
  },
  {
    name: 'a-blocked-run-begins',
    harm: 'A run begins although a check blocks it.',
    changes: [
      {
        file: `${ENGINE}/drive-run.ts`,
        from: '  if (blocking.length === 0) return { answers, blocked: null }',
        to: '  if (blocking.length >= 0) return { answers, blocked: null }',
      },
    ],
    caughtBy: unit(
      'runs/engine/run-engine',
      'a run that may not begin touches nothing when a check is blocked (never), and gives the lease back',
    ),
  },
]

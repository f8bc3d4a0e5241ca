import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { ENGINE } from '../places.ts'

/** A run starts, continues and ends by the results of its checks and verifies (style G17 to G19). */
export const ENGINE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-run-is-done-whatever-the-last-look-shows',
    harm: 'A run is called done although the last look found something undone.',
    changes: [
      {
        file: `${ENGINE}/drive-run.ts`,
        from: 'if (failing.length + unreported.length > 0) {',
        to: 'if (failing.length + unreported.length > 9_999) {',
      },
    ],
    caughtBy: unit(
      'runs/engine/promises',
      'a thing that changes between its early verify and the end keeps a run from being done',
    ),
  },
  {
    name: 'what-cannot-be-told-counts-as-so',
    harm: 'A run is reported as done although no check could confirm it.',
    changes: [
      {
        file: `${ENGINE}/drive-run.ts`,
        from: 'if (failing.length + unreported.length > 0) {',
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
        from: "return answer === 'hung' ? unreported(fault('VerifyNotAnswered', { title: planned.title })) : answer",
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
        from: '    return crashedVerify(planned, error, log)\n',
        to: "    return { kind: 'holds', reason: crashOf(planned, error, log).message, evidence: [] }\n",
      },
    ],
    caughtBy: unit(
      'runs/engine/run-engine',
      'what is unknown a verify that crashes proves nothing; it does not count as failed',
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
    harm: 'A resumed run continues although somebody undid its work.',
    changes: [
      {
        file: `${ENGINE}/walk-step.ts`,
        from: "if (answer.kind !== 'holds') return false",
        to: "if (answer.kind !== 'holds') return true",
      },
    ],
    caughtBy: unit(
      'runs/hand-over',
      'a runner that takes a run over (true) verifies each finished step again, and repeats what fails',
    ),
  },
  {
    name: 'a-check-that-crashes-passes',
    harm: 'A run begins although a check could not look.',
    changes: [
      {
        file: `${ENGINE}/check-plan.ts`,
        from: 'blockers: [{ code, values: { ...values }, message, remedy, override, ...more }],',
        to: 'blockers: [],',
      },
    ],
    caughtBy: unit(
      'runs/engine/defences',
      'a step that does not listen a check that never answers blocks, and nothing may override it',
    ),
  },
  {
    name: 'one-override-lifts-all-blockers',
    harm: 'An override for one thing lifts what may never be lifted.',
    changes: [
      {
        file: `${ENGINE}/check-plan.ts`,
        from: 'return flags.every(flag => flag !== null) ? (flags[0] ?? null) : null',
        to: 'return flags.find(flag => flag !== null) ?? null',
      },
    ],
    caughtBy: unit(
      'runs/engine/check-plan',
      'an override lifts a check only as a whole: one of them may never be lifted',
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

import type { Catcher, Mutant } from '../mutant.ts'

const GATES = 'main/runs/engine/gate.ts'
const PLAN = 'shared/domain/plan.ts'
const CHECK = 'main/runs/engine/check-plan.ts'
const START = 'shared/domain/agreed-start.ts'
const UNDO = 'shared/domain/undoable.ts'
const HISTORY = 'main/runs/handed-over-history.ts'
const CORDON = 'main/procedures/steps/general/take-back-cordon.ts'
const TYPED = 'main/run-control/confirm-typed.ts'

/** What only a person may decide: what begins, in spite of what, when, and what is taken back. */
export const PEOPLE_MUTANTS: readonly Mutant[] = [
  {
    name: 'plan-never-gone',
    harm: 'A plan that was confirmed once is started a second time.',
    changes: [
      {
        file: 'main/runs/shown-plans.ts',
        from: '    forget: id => {\n      shown.delete(id)\n    },',
        to: '    forget: () => {},',
      },
    ],
    caughtBy: unit(
      'test/unit/runs/shown-plans.test.ts',
      'what was made for plans is taken back when nobody can confirm them any more',
    ),
  },
  {
    name: 'plan-confirmed-after-the-console-ended',
    harm: 'A plan whose checks are old can be confirmed.',
    changes: [{ file: 'main/runs/shown-plans.ts', from: 'if (isClosed) return void discard(plan)', to: '' }],
    caughtBy: unit(
      'test/unit/runs/shown-plans.test.ts',
      'a plan whose checks ended after the console did is taken back at once',
    ),
  },
  {
    name: 'stop-asked-for-twice',
    harm: 'A run that is resumed stops an instance again that its owner had started meanwhile.',
    changes: [
      {
        file: 'main/procedures/steps/compute/stop-in-place.ts',
        from: '  if (asked.value <= pending.stopsBefore) return null\n',
        to: '  if (asked.value > 0) return null\n',
      },
    ],
    caughtBy: unit(
      'test/unit/procedures/cold-moves.test.ts',
      'and carried out is not requested again where somebody started the instance since',
    ),
  },
  {
    name: 'resize-of-an-owner-confirmed',
    harm: 'A run confirms a resize that the owner of an instance may still want to revert.',
    changes: [
      {
        file: 'main/procedures/steps/compute/cold-migration.ts',
        from: "  if (finished.type === 'resize') return { kind: 'of-another' }\n",
        to: '',
      },
    ],
    caughtBy: unit(
      'test/unit/procedures/cold-moves.test.ts',
      'and that its owner resized meanwhile is not confirmed: a person decides',
    ),
  },
  {
    name: 'start-of-what-its-owner-stopped',
    harm: 'An undo starts an instance that its owner stopped after the run had.',
    changes: [
      {
        file: 'main/procedures/steps/compute/instances-return.ts',
        from: 'if (acts.value > recorded) touched.add(instance.id)',
        to: 'if (acts.value < 0) touched.add(instance.id)',
      },
    ],
    caughtBy: unit(
      'test/unit/procedures/instances-return.test.ts',
      'where somebody started and stopped them since: they are not started',
    ),
  },
  {
    name: 'production-not-asked',
    harm: 'A click on the wrong cluster takes a node of production out of service.',
    changes: [{ file: TYPED, from: 'typed === plan.cluster) return null', to: 'typed !== "") return null' }],
    caughtBy: unit('test/unit/run-control/confirm-typed.test.ts', 'it does not begin where nothing was typed'),
  },
  {
    name: 'production-by-any-name',
    harm: 'The name of another cluster is taken for an answer.',
    changes: [{ file: TYPED, from: 'typed === plan.cluster) return null', to: 'typed !== undefined) return null' }],
    caughtBy: unit('test/unit/run-control/confirm-typed.test.ts', 'it does not begin by the name of another cluster'),
  },
  {
    name: 'override-of-what-nothing-lifts',
    harm: 'An override given for one thing lifts what may never be lifted: an instance runs twice.',
    changes: [
      {
        file: PLAN,
        from: "if (blocker.override.kind === 'never' || blocker.sinceConfirmed === true) return null\n  const flag = blocker.override.flag",
        to: "if (blocker.sinceConfirmed === true) return null\n  const flag = blocker.override.kind === 'never' ? 'force' : blocker.override.flag",
      },
    ],
    caughtBy: unit('test/unit/domain/overrides.test.ts', 'that nothing lifts stays'),
  },
  {
    name: 'override-of-what-came-since',
    harm: 'An override lifts what its giver never saw.',
    changes: [{ file: PLAN, from: ' || blocker.sinceConfirmed === true', to: '' }],
    caughtBy: unit('test/unit/domain/overrides.test.ts', 'that came since the plan was confirmed stays'),
  },
  {
    name: 'override-of-another-object',
    harm: 'An override for one instance lifts the trouble of another one, which came later.',
    changes: [
      {
        file: 'shared/domain/lifted-blockers.ts',
        from: ' && names.every(name => shown.names.includes(name))',
        to: '',
      },
    ],
    caughtBy: unit('test/unit/domain/lifted-blockers.test.ts', 'does not lift the same trouble of another object'),
  },
  {
    name: 'override-for-the-whole-run',
    harm: 'An override lifts a blocker that arose during the run, such as clocks that differ.',
    changes: [
      {
        file: 'main/runs/engine/walk-step.ts',
        from: 'answers.set(stepId, answerSince(stepId, answer, plan))',
        to: 'answers.set(stepId, plan.id === "" ? answerSince(stepId, answer, plan) : answer)',
      },
    ],
    caughtBy: unit(
      'test/unit/runs/engine/run-engine.test.ts',
      'an override lifts what the plan showed, and nothing that came after it',
    ),
  },
  {
    name: 'out-together-one-after-another',
    harm: 'Instances move to a node that has to be emptied too.',
    changes: [
      {
        file: 'main/procedures/plans/rolling/plan-taking-out.ts',
        from: 'acts.findIndex(({ kind }) => kind === disableCompute.kind) + 1',
        to: '0 * acts.findIndex(({ kind }) => kind === disableCompute.kind)',
      },
    ],
    caughtBy: unit(
      'test/unit/procedures/rolling/plan-taking-out.test.ts',
      'are all closed for new instances before the first instance moves',
    ),
  },
  {
    name: 'out-together-judged-alone',
    harm: 'Nodes that stay out together take the majority of a quorum with them.',
    changes: [
      {
        file: 'main/procedures/plans/rolling/plan-taking-out.ts',
        from: ', together: true }',
        to: ' }',
      },
    ],
    caughtBy: unit(
      'test/unit/procedures/rolling/plan-taking-out.test.ts',
      'are judged together: room, quorums, and what Ceph can spare',
    ),
  },
  {
    name: 'out-and-taken-for-back',
    harm: 'A node that was taken out to stay out counts as brought back, and its run cannot be undone.',
    changes: [
      {
        file: 'shared/domain/undone-steps.ts',
        from: ' && !staying.has(step.lane.name)',
        to: '',
      },
    ],
    caughtBy: unit('test/unit/domain/undone-steps.test.ts', 'is all of a node that was to stay out'),
  },
  {
    name: 'override-by-another-name',
    harm: 'Any override lifts every blocker.',
    changes: [{ file: PLAN, from: 'overrides.some(given => given.flag === flag)', to: 'overrides.length > 0' }],
    caughtBy: unit('test/unit/domain/overrides.test.ts', 'is not lifted by another one'),
  },
  {
    name: 'override-of-one-lifts-all',
    harm: 'A step begins though one of its blockers was lifted by nobody.',
    changes: [{ file: CHECK, from: 'flags.every(flag => flag !== null)', to: 'flags.some(flag => flag !== null)' }],
    caughtBy: unit('test/unit/domain/overrides.test.ts', 'a check with one blocker that stays holds up the run'),
  },
  {
    name: 'override-without-a-reason',
    harm: 'Nobody can report later why a check was overridden.',
    changes: [
      {
        file: PLAN,
        from: 'flag: OverrideFlag, reason: z.string().min(1)',
        to: 'flag: OverrideFlag, reason: z.string()',
      },
    ],
    caughtBy: unit('test/unit/domain/overrides.test.ts', 'an override without a reason does not count'),
  },
  {
    name: 'answer-to-what-was-not-asked',
    harm: 'An answer that was meant for an earlier question decides the one that is open.',
    changes: [{ file: GATES, from: '!asked.choices.includes(answer.choice)', to: 'false' }],
    caughtBy: unit(
      'test/unit/runs/engine/run-engine.test.ts',
      'an answer to another gate, or one that was not offered, changes nothing',
    ),
  },
  {
    name: 'answer-after-another-one',
    harm: 'The answer of a second person overrules the first, who was reported that theirs counts.',
    changes: [
      { file: 'main/wings/runner/control-run.ts', from: "if (given?.kind === 'gate-answered') {", to: 'if (false) {' },
    ],
    caughtBy: unit('test/unit/wings/runner/control-run.test.ts', 'an answer after another one'),
  },
  {
    name: 'abort-obeyed-twice',
    harm: 'A runner that was killed in the middle aborts again what somebody resumed since.',
    changes: [
      {
        file: 'main/wings/runner/control-run.ts',
        from: "if (isAskedBefore) return done(because('AbortedAlready'))",
        to: '',
      },
    ],
    caughtBy: unit('test/unit/wings/runner/control-run.test.ts', 'an abort that was carried out'),
  },
  {
    name: 'window-starts-early',
    harm: 'Work begins before the time that its owners were reported.',
    changes: [{ file: START, from: "if (nowMs < beginMs) return 'early'", to: '' }],
    caughtBy: unit('test/unit/domain/agreed-start.test.ts', 'a second before the beginning'),
  },
  {
    name: 'window-starts-late',
    harm: 'A console that was asleep begins hours later, when nobody watches.',
    changes: [{ file: START, from: 'nowMs <= beginMs + lateByMs && ', to: '' }],
    caughtBy: unit('test/unit/domain/agreed-start.test.ts', 'later than that: the console was away'),
  },
  {
    name: 'window-starts-after-its-end',
    harm: 'Work begins after the end that its owners were reported.',
    changes: [{ file: START, from: ' && nowMs < Date.parse(endsAt)', to: '' }],
    caughtBy: unit(
      'test/unit/domain/agreed-start.test.ts',
      'never past the end of a window that is shorter than it may be late',
    ),
  },
  {
    name: 'window-starts-another-plan',
    harm: 'An automatic start does something else to a node than was confirmed.',
    changes: [
      {
        file: START,
        from: 'names.filter(name => agreed.parts[name] !== now.parts[name])',
        to: 'names.filter(() => false)',
      },
    ],
    caughtBy: unit('test/unit/domain/agreed-start.test.ts', 'not when another thing is done to a node'),
  },
  {
    name: 'window-takes-others-down',
    harm: 'An automatic start stops an instance that no operator was shown.',
    changes: [{ file: START, from: 'now.down.filter(each => !down.has(each))', to: 'now.down.filter(() => false)' }],
    caughtBy: unit('test/unit/domain/agreed-start.test.ts', 'not when another instance goes down'),
  },
  {
    name: 'window-lifts-more',
    harm: 'An override also lifts checks that it was not given for.',
    changes: [{ file: START, from: 'now.lifted.filter(each => !had.has(each))', to: 'now.lifted.filter(() => false)' }],
    caughtBy: unit('test/unit/domain/agreed-start.test.ts', 'not when an override lifts what it was not given for'),
  },
  {
    name: 'window-earlier-seal-believed',
    harm: 'A window starts automatically with other work than an operator confirmed in an earlier version.',
    changes: [{ file: START, from: 'isUnclear: !parts.every(isCertain) || ', to: 'isUnclear: ' }],
    caughtBy: unit('test/unit/domain/agreed-start.test.ts', 'is confirmed again when a digest differs'),
  },
  {
    name: 'window-agreed-to-by-an-old-plan',
    harm: 'A window automatically starts a plan that was shown long ago.',
    changes: [
      {
        file: 'main/windows/agreed-starts.ts',
        from: 'clock.now() - seen.atMs > SHOWN_FOR_MS',
        to: 'clock.now() - seen.atMs < 0',
      },
    ],
    caughtBy: unit('test/unit/windows/agreed-starts.test.ts', 'a plan that was shown longer ago has to be made again'),
  },
  {
    name: 'window-agreed-to-after-a-change',
    harm: 'A window whose end changed automatically starts the plan for its former end.',
    changes: [
      {
        file: 'main/windows/agreed-starts.ts',
        from: '        seen.announced !== whatIsAnnounced(window) ||\n',
        to: '',
      },
    ],
    caughtBy: unit(
      'test/unit/windows/agreed-starts.test.ts',
      'a plan of a window that was changed since has to be made again',
    ),
  },
  {
    name: 'written-to-while-read-only',
    harm: 'Work begins that no journal keeps.',
    changes: [{ file: 'main/api/serve.ts', from: '    if (refused !== null) return failed(refused)\n', to: '' }],
    caughtBy: unit('test/unit/api/router.test.ts', 'what is refused just now reaches no handler'),
  },
  {
    name: 'undone-while-driven',
    harm: 'A run is undone while it is running.',
    changes: [{ file: UNDO, from: "if (isDriven) return { kind: 'driven' }", to: '' }],
    caughtBy: unit('test/unit/domain/undoable.test.ts', 'not one that somebody drives'),
  },
  {
    name: 'undone-while-a-runner-may-go-on',
    harm: 'The console undoes a run that it handed over while the runner continues it.',
    changes: [{ file: UNDO, from: "if (view.handedTo !== null) return { kind: 'handed-over' }", to: '' }],
    caughtBy: unit('test/unit/domain/undoable.test.ts', 'not one that was handed over'),
  },
  {
    name: 'undone-over-later-work',
    harm: 'What another run did to the node since is taken back with it.',
    changes: [{ file: UNDO, from: 'if (by === undefined) return null', to: 'if (by !== null) return null' }],
    caughtBy: unit('test/unit/domain/undoable.test.ts', 'forbids one where another run worked on the node'),
  },
  {
    name: 'undone-without-knowing-what-came-since',
    harm: 'With a history that cannot be read, the work of others is taken back.',
    changes: [
      {
        file: UNDO,
        from: "if (later === null) return { kind: 'later-unknown' }",
        to: 'if (later === null) return null',
      },
    ],
    caughtBy: unit('test/unit/domain/undoable.test.ts', 'forbids an undo where it is unknown'),
  },
  {
    name: 'cordon-of-others-taken-back',
    harm: 'A node that somebody cordoned for a broken disk gets pods again.',
    changes: [
      {
        file: CORDON,
        from: "  if (status.kind === 'of-others') return applied(stays(node, status))\n",
        to: "  if (status.kind === 'of-others') return null\n",
      },
    ],
    caughtBy: unit('test/unit/procedures/take-back-cordon.test.ts', 'that a person set since'),
  },
  {
    name: 'cordon-taken-back-without-its-version',
    harm: 'A cordon that somebody set between the look and the request is taken away.',
    changes: [{ file: CORDON, from: '{ atVersion, signal: ctx.signal }', to: '{ signal: ctx.signal }' }],
    caughtBy: unit(
      'test/unit/procedures/take-back-cordon.test.ts',
      'stays where it changes hands between the look and the request',
    ),
  },
  {
    name: 'cordon-of-nobody-taken-back-unasked',
    harm: 'A cordon of which nobody knows whose it is, is taken away without a question.',
    changes: [
      {
        file: CORDON,
        from: "if (status.kind === 'own' || isAgreed(ctx)) return null",
        to: 'if (status !== null) return null',
      },
    ],
    caughtBy: unit(
      'test/unit/procedures/take-back-cordon.test.ts',
      'where nobody is named: the plan warns, and a person is asked before anything is done',
    ),
  },
  {
    name: 'compute-of-others-enabled',
    harm: 'A host that somebody disabled gets instances again.',
    changes: [
      {
        file: 'main/procedures/steps/compute/enable-compute.ts',
        from: "return typeof input.reason === 'string' ? disabledReason === input.reason : isMaintenanceReason(disabledReason)",
        to: "return typeof input.reason === 'string' ? disabledReason !== '' : isMaintenanceReason(disabledReason)",
      },
    ],
    caughtBy: unit(
      'test/unit/procedures/undo.test.ts',
      'stays: a nova-compute that is disabled for another reason by now',
    ),
  },
  {
    name: 'hand-over-of-another-plan',
    harm: 'A runner continues with work that no operator confirmed.',
    changes: [{ file: HISTORY, from: 'if (!isSameJson(first.body.plan, plan))', to: 'if (false)' }],
    caughtBy: unit('test/unit/runs/hand-over.test.ts', 'of another plan, or another hash, is not continued'),
  },
  {
    name: 'hand-over-of-a-changed-story',
    harm: 'A runner continues with a history that somebody changed on the way.',
    changes: [{ file: HISTORY, from: 'if (hashOf(lines) !== given.storyHash)', to: 'if (false)' }],
    caughtBy: unit('test/unit/runs/hand-over.test.ts', 'of another plan, or another hash, is not continued'),
  },
  {
    name: 'hand-over-and-go-on',
    harm: 'The console continues a run that it handed over: two processes drive it.',
    changes: [
      {
        file: 'main/runs/engine/run-engine.ts',
        from: '  if (view.handedTo !== null && takesBack === undefined) return failed(runHandedOver(view))\n',
        to: '',
      },
      {
        file: 'main/runs/engine/run-engine.ts',
        from: '  if (now.value.view.handedTo !== null && takesBack === undefined) return failed(runHandedOver(now.value.view))\n',
        to: '',
      },
    ],
    caughtBy: unit('test/unit/runs/hand-over.test.ts', 'continues it only once it is proved that no runner does'),
  },
  {
    name: 'hand-over-ended-by-any-story',
    harm: 'A run ends here because a runner took over another one.',
    changes: [{ file: 'main/runs/take-over.ts', from: 'handedTo.storyHash !== body.storyHash || ', to: '' }],
    caughtBy: unit(
      'test/unit/runs/hand-over.test.ts',
      'a console whose answer was lost ends its run when the runner reports this recorded run, and no other',
    ),
  },
  {
    name: 'run-begun-past-its-end',
    harm: 'A runner begins after the time until which it was allowed to.',
    changes: [
      { file: 'main/wings/runner/not-after.ts', from: 'if (leftMs <= 0) return', to: 'if (leftMs === 0.5) return' },
    ],
    caughtBy: unit('test/unit/wings/runner/rules.test.ts', 'not when it is past'),
  },
  {
    name: 'run-begun-that-does-not-fit',
    harm: 'A node is half emptied when its allowed time ends.',
    changes: [
      {
        file: 'main/wings/runner/not-after.ts',
        from: 'if (longestMs <= leftMs) return null',
        to: 'if (longestMs >= 0) return null',
      },
    ],
    caughtBy: unit('test/unit/wings/runner/rules.test.ts', 'not when it takes longer'),
  },
]

function unit(file: string, title: string): Catcher {
  return { kind: 'test', file, title }
}

import type { RunSummary } from '../../../../shared/contract/index.ts'
import {
  endsInService,
  isNodePlan,
  type NodePlan,
  planPlace,
  type RollingPlan,
  staysOut,
  takesOut,
} from '../../../../shared/domain/plan.ts'
import { namesOf } from '../../../../shared/domain/plan-effects.ts'
import { downAtLast } from '../../../../shared/domain/ran-before.ts'
import { isOfDemo, type RunView } from '../../../../shared/domain/run.ts'
import { endingOf, mayMoveRest, type RunEnding } from '../../../../shared/domain/run-ending.ts'
import { talliesOf } from '../../../../shared/domain/run-progress.ts'
import { stepTally } from '../../../../shared/domain/step-tally.ts'
import { undoableNodes } from '../../../../shared/domain/undoable.ts'
import { counted, listed } from '../../../../shared/grammar/counts.ts'
import { betweenWords } from '../../../../shared/grammar/durations.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import { stayWords, urgentFirst } from '../../../../shared/words/node-verdict.ts'
import { workTitle } from '../../../../shared/words/plans.ts'
import { acceptedLine, endingDetail, endingTitle, endingTone } from '../../../../shared/words/run-ending.ts'
import { whereDriven } from '../../../../shared/words/runners.ts'
import { stepTallyWords } from '../../../../shared/words/step-tally.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'

/** How a run ended, in a few lines: the result, what it did, what failed and why, what is still changed, what to do next. */
export function renderEnd(summary: RunSummary, view: RunView, look: Look): readonly string[] {
  const { palette, symbols, columns } = look
  const ending = view.state.kind === 'finished' ? endingOf(view, view.state) : null
  const tone = ending === null ? 'rest' : endingTone(ending)
  const [sign, paint] =
    tone === 'good'
      ? [symbols.ok, palette.good]
      : tone === 'bad'
        ? [symbols.blocked, palette.bad]
        : [symbols.warning, palette.warn]
  const took = view.endedAt === null ? '' : ` Took ${betweenWords(view.createdAt, view.endedAt)}.`
  return [
    ...hang(`${sign} `, `${endText(summary, view, ending)}${took}`, columns).map(paint),
    ...detailOf(ending).flatMap(line => hang('  ', line, columns)),
    ...renderStillHere(ending, look),
    ...tallies(view).flatMap(line => hang('  ', line, columns)),
    ...renderProblems(view, look),
    ...renderLeftBehind(view, summary, look),
    // The run has only just ended: no later run exists.
    ...renderNext(summary, view, [], look),
  ]
}

/** What follows from an end, and what the operator accepted in the run; nothing while the run continues. */
function detailOf(ending: RunEnding | null): readonly string[] {
  if (ending === null) return []
  const detail = endingDetail(ending)
  return [...(detail === null ? [] : [detail]), ...ending.accepted.map(acceptedLine)]
}

/** What went wrong, one line per step. */
export function renderProblems(view: RunView, look: Look): readonly string[] {
  const { palette, symbols, columns } = look
  return view.steps.flatMap(step => {
    const wrong =
      step.state === 'failed' && step.failure !== null
        ? step.failure.message
        : step.verify?.kind === 'fails'
          ? `${step.verify.reason} ${step.verify.remedy}`
          : step.verify?.kind === 'cannot-tell'
            ? `could not verify this. ${step.verify.reason} ${step.verify.remedy}`
            : step.state === 'blocked' && step.check?.kind === 'blocked'
              ? step.check.blockers.map(({ message, remedy }) => `${message} ${remedy}`).join(' ')
              : null
    return wrong === null ? [] : hang(`  ${symbols.blocked} `, `${step.step.title}: ${wrong}`, columns).map(palette.bad)
  })
}

/** Why an instance keeps the node from being empty, if more is known than that it runs there. */
function renderStillHere(ending: RunEnding | null, look: Look): readonly string[] {
  if (ending?.kind !== 'NodeNotEmpty' || ending.verdict.kind !== 'NotEmpty') return []
  const { instances } = ending.verdict
  const names = namesOf(instances)
  return urgentFirst(instances).flatMap(each =>
    each.code === 'StillRuns' || each.code === 'NotRescued'
      ? []
      : hang(`  ${look.symbols.separator} `, `${names.get(each.id)}: ${stayWords(each)}`, look.columns),
  )
}

/** What a run that stopped early left changed; nothing once it is undone. */
export function renderLeftBehind(
  { state, plan }: RunView,
  { undoneBy }: Pick<RunSummary, 'undoneBy'>,
  look: Look,
): readonly string[] {
  if (state.kind !== 'finished' || state.leftBehind.length === 0) return []
  if (isNodePlan(plan) && undoneBy !== undefined) return []
  return [
    '  Still changed:',
    ...state.leftBehind.flatMap(line => hang(`    ${look.symbols.separator} `, line, look.columns)),
  ]
}

interface NextStep {
  readonly command: string
  readonly why: string
}

/** Commands that may come next, one per line. `later`: later runs of the cluster, newest first; null if unknown. */
export function renderNext(
  summary: RunSummary,
  view: RunView,
  later: readonly RunSummary[] | null,
  look: Look,
): readonly string[] {
  return nextSteps(summary, view, later).flatMap(({ command, why }) => [
    look.palette.faint(`  next${why === '' ? '' : `, ${why}`}:`),
    `    ${command}`,
  ])
}

/** How the run ended: its node's verdict, or its summary. */
function endText(summary: RunSummary, { plan }: RunView, ending: RunEnding | null): string {
  const place = planPlace(plan)
  const title = ending === null ? null : endingTitle(ending)
  if (title !== null) return title
  switch (summary.state) {
    case 'done':
    case 'not-reached':
      // The summary says what was verified.
      return summary.summary
    case 'failed':
      return `${workTitle(plan)} failed. ${summary.summary}`
    case 'checks-failed':
    case 'aborted':
    case 'handed-over':
      return `${place}: ${summary.summary}`
    case 'waiting':
      return `The run on ${place} waits for an answer. ${summary.summary}`
    case 'paused':
      return `The run on ${place} is paused. ${summary.summary}`
    case 'interrupted':
      return `The run on ${place} is interrupted. ${summary.summary}`
    default:
      return summary.runner === undefined || summary.state === 'unheard'
        ? `${place}: ${summary.summary}`
        : `The run on ${place} continues ${whereDriven(summary.runner)}. ${summary.summary}`
  }
}

function downAdvice({ plan }: RunView, amount: number): string {
  const [them, owners] = amount === 1 ? ['it', 'its owner'] : ['them', 'their owners']
  return isNodePlan(plan) && !endsInService(plan.kind)
    ? `When the node is back, \`lockkeeper leave --start-instances\` starts ${them}, or ${owners} can.`
    : `Start ${them} with \`openstack server start\`, or leave that to ${owners}.`
}

function tallies(view: RunView): readonly string[] {
  const { moves, pods } = talliesOf(view)
  const moved = moves?.moved ?? 0
  const left = pods?.done ?? 0
  const down = [
    ...namesOf(
      downAtLast(
        view.steps.flatMap(({ facts }) => facts),
        view.steps.map(({ step }) => step.input),
      ),
    ).values(),
  ]
  return [
    [
      ...(moved > 0 ? [`${counted(moved, 'instance')} moved`] : []),
      ...(left > 0 ? [`${counted(left, 'pod')} gone`] : []),
    ].join(', '),
    down.length > 0
      ? `${counted(down.length, 'instance')} that ran before ${down.length === 1 ? 'is' : 'are'} down: ${down.join(', ')}. ${downAdvice(view, down.length)}`
      : '',
    stepTallyWords(stepTally(view.steps)),
  ].filter(line => line !== '')
}

function againOf(plan: RunView['plan']): string {
  if (plan.kind === 'undo') return `lockkeeper undo ${shellWord(plan.undoes)} ${shellWord(plan.node)}`
  return isNodePlan(plan) ? `lockkeeper ${plan.kind} ${placeOf(plan)}` : rollingStart(plan)
}

/** The commands that undo changes of a run, if it has any. */
function undoSteps({ state }: RunSummary, view: RunView, later: readonly RunSummary[] | null): readonly NextStep[] {
  const isDriven = view.state.kind !== 'finished' && state !== 'interrupted'
  const nodes = undoableNodes({ view, isDriven, later })
  if (nodes.length === 0) return []
  const command = `lockkeeper undo ${shellWord(view.id)}`
  return isNodePlan(view.plan)
    ? [{ command, why: 'to undo its changes' }]
    : [{ command: `${command} NODE`, why: `to undo its changes on ${listed(nodes)}` }]
}

/** What to do when a node did not reach the goal of its run: run it again, or see which checks block. */
function restSteps(view: RunView): readonly NextStep[] {
  const { plan, state } = view
  if (!isNodePlan(plan) || state.kind !== 'finished') return []
  const ending = endingOf(view, state)
  const rest =
    plan.kind !== 'enter' && plan.kind !== 'rescue'
      ? []
      : mayMoveRest(ending)
        ? [{ command: againOf(plan), why: plan.kind === 'rescue' ? 'to rescue the rest' : 'to move what is left' }]
        : [{ command: `lockkeeper plan ${plan.kind} ${placeOf(plan)}`, why: 'to see what blocks it' }]
  const back = { command: `lockkeeper leave ${placeOf(plan)}`, why: 'to bring the node back' }
  return staysOut(plan.kind) ? [...rest, back] : rest
}

function nextSteps(summary: RunSummary, view: RunView, later: readonly RunSummary[] | null): readonly NextStep[] {
  const { state } = summary
  // The demo clouds end with their console: no later command reaches them.
  if (isOfDemo(view.driver)) return []
  const id = shellWord(view.id)
  const { plan } = view
  const command = againOf(plan)
  const undo = undoSteps(summary, view, later)
  const back = isNodePlan(plan) ? { command: `lockkeeper leave ${placeOf(plan)}`, why: 'to bring the node back' } : null
  const wayBack = back !== null && takesOut(plan.kind) ? [back] : []
  switch (state) {
    case 'done':
      return plan.kind === 'enter' && back !== null ? [{ ...back, why: 'when your work on the node is done' }] : []
    case 'not-reached':
      return restSteps(view)
    case 'failed':
      return [{ command: `lockkeeper run resume ${id}`, why: 'to resume it' }, ...undo, ...wayBack]
    case 'aborted':
      return isNodePlan(plan)
        ? [{ command, why: 'to start again' }, ...undo, ...wayBack]
        : [
            ...undo,
            { command, why: 'to start again; this, or `lockkeeper leave`, brings the unfinished nodes back first' },
          ]
    case 'checks-failed':
      return isNodePlan(plan) && plan.kind !== 'undo'
        ? [{ command: `lockkeeper plan ${plan.kind} ${placeOf(plan)}`, why: '' }]
        : [{ command, why: 'to check again' }]
    case 'interrupted':
      return [{ command: `lockkeeper run resume ${id}`, why: 'to resume it' }, ...undo]
    default:
      return [{ command: `lockkeeper run show ${id}`, why: '' }]
  }
}

function placeOf({ cluster, node }: NodePlan): string {
  return `${shellWord(cluster)} ${shellWord(node)}`
}

/** The command that plans the same work on many nodes again, in the same window, and asks before it starts. */
function rollingStart({ cluster, window, update }: RollingPlan): string {
  const within = window?.kind === 'in' ? shellWord(window.id) : null
  // Batches of a window are the groups of its run; other groups came from flags.
  const isOfBatches = update.groups.every(({ name }) => /^batch-\d+$/.test(name))
  if (within !== null && isOfBatches) return `lockkeeper window start ${within}`
  return `lockkeeper update start ${shellWord(cluster)}${within === null ? '' : ` --window ${within}`}  # and the same flags`
}

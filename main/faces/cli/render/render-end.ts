import type { RunSummary } from '../../../../shared/contract/index.ts'
import {
  endsInService,
  isNodePlan,
  type NodePlan,
  planPlace,
  type RollingPlan,
  takesOut,
} from '../../../../shared/domain/plan.ts'
import { downAtLast } from '../../../../shared/domain/ran-before.ts'
import { isOfDemo, type RunView } from '../../../../shared/domain/run.ts'
import { evictionsOf, migrationsOf } from '../../../../shared/domain/run-progress.ts'
import { stepTally } from '../../../../shared/domain/step-tally.ts'
import { undoableNodes } from '../../../../shared/domain/undoable.ts'
import { counted, listed } from '../../../../shared/grammar/counts.ts'
import { betweenWords } from '../../../../shared/grammar/durations.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import { workTitle } from '../../../../shared/words/plans.ts'
import { whereDriven } from '../../../../shared/words/runners.ts'
import { stepTallyWords } from '../../../../shared/words/step-tally.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'
import { answerCommand } from './gate-words.ts'

/** How a run came to rest, in a few lines: the outcome, what was done, what failed and why, what stays changed, what to do next. */
export function renderEnd(summary: RunSummary, view: RunView, look: Look): readonly string[] {
  const { palette, symbols, columns } = look
  const [sign, paint] =
    summary.state === 'done'
      ? [symbols.ok, palette.good]
      : summary.state === 'failed' || summary.state === 'checks-failed'
        ? [symbols.blocked, palette.bad]
        : [symbols.warning, palette.warn]
  const took = view.endedAt === null ? '' : ` Took ${betweenWords(view.createdAt, view.endedAt)}.`
  return [
    ...hang(`${sign} `, `${endText(summary, view)} ${summary.summary}${took}`, columns).map(paint),
    ...tallies(view).map(line => `  ${line}`),
    ...view.overrides.flatMap(({ flag, reason, message }) =>
      hang('  overridden: ', `${message} (--${flag}: ${reason})`, columns).map(palette.warn),
    ),
    ...renderTroubles(view, look),
    ...renderLeftBehind(view, look),
    // It has only just come to rest: nothing came after it.
    ...renderNext(summary, view, [], look),
  ]
}

/** What went wrong, a line a step. */
export function renderTroubles(view: RunView, look: Look): readonly string[] {
  const { palette, symbols, columns } = look
  return view.steps.flatMap(step => {
    const wrong =
      step.state === 'failed' && step.failure !== null
        ? step.failure.message
        : step.verify?.kind === 'fails'
          ? `${step.verify.reason} ${step.verify.remedy}`
          : step.verify?.kind === 'cannot-tell'
            ? `cannot tell whether it is so. ${step.verify.reason} ${step.verify.remedy}`
            : step.state === 'blocked' && step.check?.kind === 'blocked'
              ? step.check.blockers.map(({ message, remedy }) => `${message} ${remedy}`).join(' ')
              : null
    return wrong === null ? [] : hang(`  ${symbols.blocked} `, `${step.step.title}: ${wrong}`, columns).map(palette.bad)
  })
}

/** What was changed and stays so, when a run ended before its time. */
export function renderLeftBehind({ state }: RunView, look: Look): readonly string[] {
  if (state.kind !== 'finished' || state.leftBehind.length === 0) return []
  return [
    '  Changed, and stays so:',
    ...state.leftBehind.flatMap(line => hang(`    ${look.symbols.separator} `, line, look.columns)),
  ]
}

/** The commands an operator may want next. `later` are the runs of its cluster that came after it, the newest first; null: that is not known. */
export function renderNext(
  summary: RunSummary,
  view: RunView,
  later: readonly RunSummary[] | null,
  look: Look,
): readonly string[] {
  return nextSteps(summary, view, later).map(line => look.palette.faint(`  next: ${line}`))
}

function endText(summary: RunSummary, { plan }: RunView): string {
  const place = planPlace(plan)
  switch (summary.state) {
    case 'done':
      // Its summary names the node and says that it was verified.
      return ''
    case 'failed':
      return `${workTitle(plan)} failed.`
    case 'checks-failed':
    case 'aborted':
    case 'handed-over':
      return `${place}:`
    case 'waiting':
      return `The run on ${place} waits for an answer.`
    case 'paused':
      return `The run on ${place} is paused.`
    default:
      return summary.runner === undefined || summary.state === 'interrupted' || summary.state === 'unheard'
        ? `The run on ${place} was left where it is.`
        : `The run on ${place} goes on ${whereDriven(summary.runner)}.`
  }
}

function downAdvice({ plan }: RunView, amount: number): string {
  const [them, owners] = amount === 1 ? ['it', 'its owner'] : ['them', 'their owners']
  return isNodePlan(plan) && !endsInService(plan.kind)
    ? `When the node is back, \`lockkeeper leave --start-instances\` starts ${them}, or ${owners}.`
    : `Start ${them} with \`openstack server start\`, or leave that to ${owners}.`
}

function tallies(view: RunView): readonly string[] {
  const moved = view.steps.flatMap(migrationsOf).filter(({ state }) => state === 'moved').length
  const left = view.steps.flatMap(evictionsOf).filter(({ state }) => state === 'left').length
  const down = downAtLast(
    view.steps.flatMap(({ facts }) => facts),
    view.steps.map(({ step }) => step.input),
  ).map(({ name, id }) => `${name} (${id})`)
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
  if (plan.kind === 'undo') return `\`lockkeeper undo ${shellWord(plan.undoes)} ${shellWord(plan.node)}\``
  return isNodePlan(plan) ? `\`lockkeeper ${plan.kind} ${placeOf(plan)}\`` : rollingStart(plan)
}

/** The commands that take back what a run did, where something of it may be undone. */
function undoSteps({ state }: RunSummary, view: RunView, later: readonly RunSummary[] | null): readonly string[] {
  const isDriven = view.state.kind !== 'finished' && state !== 'interrupted'
  const nodes = undoableNodes({ view, isDriven, later })
  if (nodes.length === 0) return []
  const undo = `lockkeeper undo ${shellWord(view.id)}`
  return isNodePlan(view.plan)
    ? [`\`${undo}\`, to take back what it did`]
    : [`\`${undo} NODE\`, to take back what it did to ${listed(nodes)}`]
}

function nextSteps(summary: RunSummary, view: RunView, later: readonly RunSummary[] | null): readonly string[] {
  const { state } = summary
  // The clouds of a demo end with the console that started them: no command finds them again.
  if (isOfDemo(view.driver)) return []
  const id = shellWord(view.id)
  const { plan } = view
  const again = againOf(plan)
  const undo = undoSteps(summary, view, later)
  const back = isNodePlan(plan) && takesOut(plan.kind) ? [`\`lockkeeper leave ${placeOf(plan)}\`, to go back`] : []
  switch (state) {
    case 'done':
      return plan.kind === 'enter' ? [`\`lockkeeper leave ${placeOf(plan)}\`, when the work on the node is done`] : []
    case 'failed':
      return [`\`lockkeeper run resume ${id}\`, to go on where it stopped`, ...undo, ...back]
    case 'aborted':
      return isNodePlan(plan)
        ? [`${again}, to begin again`, ...undo, ...back]
        : [...undo, `${again}, to begin again; nodes under way come back first, by that or by \`lockkeeper leave\``]
    case 'checks-failed':
      return [
        isNodePlan(plan) && plan.kind !== 'undo'
          ? `\`lockkeeper plan ${plan.kind} ${placeOf(plan)}\``
          : `${again}, which checks once more`,
      ]
    case 'interrupted':
      return [
        ...view.openGates.map(gate => `${answerCommand(view.id, gate)}, to answer its question`),
        `\`lockkeeper run resume ${id}\`, to drive it on`,
        ...undo,
      ]
    default:
      return [`\`lockkeeper run show ${id}\``]
  }
}

function placeOf({ cluster, node }: NodePlan): string {
  return `${shellWord(cluster)} ${shellWord(node)}`
}

/** The command that plans the same work on many nodes once more, in the same window, and asks before it starts. */
function rollingStart({ cluster, window, update }: RollingPlan): string {
  const within = window?.kind === 'in' ? shellWord(window.id) : null
  // A window that has batches gives them to the run as its groups; other groups came from flags.
  const isOfBatches = update.groups.every(({ name }) => /^batch-\d+$/.test(name))
  if (within !== null && isOfBatches) return `\`lockkeeper window start ${within}\``
  return `\`lockkeeper update start ${shellWord(cluster)}${within === null ? '' : ` --window ${within}`}\` with the same flags`
}

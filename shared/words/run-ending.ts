import { isAsAgreed, isOfForcedDown, onlyStopsWithNode } from '../domain/node-verdict.ts'
import { isNodeRun, type Plan, type RunKind } from '../domain/plan.ts'
import { type Accepted, isReached, type RunEnding } from '../domain/run-ending.ts'
import { OverrideFlag } from '../domain/step-answers.ts'
import { asSentence, counted } from '../grammar/counts.ts'
import { withoutIds } from '../grammar/first-words.ts'
import { verdictDetail, verdictSentence, verdictTitle } from './node-verdict.ts'

/** The colour of a run's end: green, amber, red, or grey for one that an operator ended. */
export type EndingTone = 'good' | 'attention' | 'bad' | 'rest'

/** Green only if the node is in the intended state and nobody accepted a problem. */
export function endingTone(ending: RunEnding): EndingTone {
  switch (ending.kind) {
    case 'NodeEmpty':
    case 'InService':
    case 'Finished':
      return ending.accepted.length === 0 ? 'good' : 'attention'
    case 'NodeNotEmpty':
      if (isOfForcedDown(ending.verdict)) return 'attention'
      if (!isAsAgreed(ending.verdict)) return 'bad'
      return mayPowerOff(ending) && ending.accepted.length === 0 ? 'good' : 'attention'
    case 'HeldBack':
      return 'attention'
    case 'HandedOver':
      return 'rest'
    case 'Stopped':
      return ending.outcome === 'failed' ? 'bad' : 'rest'
    case 'Untouched':
      return 'bad'
  }
}

/** Nothing is left, or only what stops with the node, as planned. */
export function mayPowerOff(ending: RunEnding): boolean {
  if (ending.kind === 'NodeEmpty') return true
  return ending.kind === 'NodeNotEmpty' && ending.verdict.kind === 'NotEmpty' && onlyStopsWithNode(ending.verdict)
}

/** The end of a run in two or three words, for lists, titles and badges. */
export function endingWord(ending: RunEnding): string {
  switch (ending.kind) {
    case 'NodeEmpty':
    case 'InService':
    case 'Finished':
      return 'done'
    case 'NodeNotEmpty':
      if (isReached(ending)) return 'done'
      if (isOfForcedDown(ending.verdict)) return 'not all rescued'
      return ending.verdict.kind === 'Unknown' ? 'maybe not empty' : 'not empty'
    case 'HeldBack':
      return ending.verdict.kind === 'Unknown' ? 'maybe not in service' : 'takes no work'
    case 'Stopped':
      return ending.outcome === 'aborted' ? 'stopped' : 'failed'
    case 'Untouched':
      return 'checks failed'
    case 'HandedOver':
      return 'handed over'
  }
}

/** The end of a run about one node as a title: `cmp-01 is not empty.`; null without a verdict. `node`: a name for the node. */
export function endingTitle(ending: RunEnding, node?: string): string | null {
  return 'verdict' in ending ? verdictTitle(node ?? ending.node, ending.verdict) : null
}

/** What is left and why, or `Safe to power off.`; null without a verdict. */
export function endingDetail(ending: RunEnding): string | null {
  return 'verdict' in ending ? verdictDetail(ending.verdict) : null
}

/** The end of a completed run in a sentence or two. `what`: the result of a run without a verdict. */
export function endingSentence(ending: RunEnding, what: string): string {
  const said = 'verdict' in ending ? verdictSentence(ending.node, ending.verdict) : `${what}, verified.`
  const forced = FLAGS.flatMap(flag => {
    const of = ending.accepted.filter(each => each.code === 'Override' && each.flag === flag)
    return of.length === 0 ? [] : [`Started anyway (${flag}): ${of.map(messageOf).join(' ')}`]
  })
  const skipped = ending.accepted.filter(({ code }) => code === 'SkippedStep').map(acceptedWords)
  return [said, ...forced, ...skipped].join(' ')
}

const FLAGS = OverrideFlag.options

function messageOf(accepted: Accepted): string {
  return accepted.code === 'Override' ? withoutIds(accepted.message) : acceptedWords(accepted)
}

/** The result of a completed run without a verdict. */
export function doneWords(plan: Plan): string {
  const { cluster, batches, steps } = plan
  switch (plan.kind) {
    case 'enter':
      return `${plan.node} is in maintenance`
    case 'leave':
    case 'maintain':
      return `${plan.node} is back in service`
    case 'home':
      return `The instances of ${plan.node} that could return are back`
    case 'undo':
      return `Everything that could be undone of the run on ${plan.node} is undone`
    case 'rescue':
      return `The instances of ${plan.node} that could be rescued are rescued`
    case 'update':
      // A run of batches has no steps of the whole cloud before and after them,
      // and the text about an update of some nodes must not claim more than those.
      return steps.some(({ phase }) => phase === 'finalize') || batches.length === 0
        ? `The update of ${cluster} is done: ${counted(new Set(steps.flatMap(({ lane }) => lane?.name ?? [])).size, 'node')}`
        : `The planned nodes of ${cluster} are back in service`
    case 'rolling-maintenance':
      return `The planned nodes of ${cluster} are back in service`
    case 'take-out':
      return `The planned nodes of ${cluster} are in maintenance`
  }
}

/** The runs that undid this one, with the node if it worked on several. */
export function undoneWords(
  kind: RunKind,
  undoneBy: readonly { readonly runId: string; readonly node: string }[],
): readonly string[] {
  return undoneBy.map(({ runId, node }) =>
    isNodeRun(kind) ? `Undone by run ${runId}.` : `${node} undone by run ${runId}.`,
  )
}

/** An operator stopped a run before its end. */
export function stoppedWords({ by, reason }: { readonly by: string; readonly reason: string }): string {
  return `Stopped by ${by}${reason === '' ? '.' : `: ${asSentence(reason)}`}`
}

/** The same with the given reason, for a separate list. */
export function acceptedLine(accepted: Accepted): string {
  const said = asSentence(acceptedWords(accepted))
  return accepted.reason === '' ? said : `${said} Reason: ${asSentence(accepted.reason)}`
}

/** What an operator accepted, for the end of a run. */
function acceptedWords(accepted: Accepted): string {
  switch (accepted.code) {
    case 'Override':
      return `Started anyway (${accepted.flag}): ${accepted.message}`
    case 'SkippedStep':
      return `Skipped${accepted.by === null ? '' : ` by ${accepted.by}`}: ${accepted.title}.`
  }
}

import { isAsAgreed } from '../domain/node-verdict.ts'
import { isNodeRun, type Plan, type RunKind } from '../domain/plan.ts'
import { type Accepted, isReached, type RunEnding } from '../domain/run-ending.ts'
import { asSentence, counted } from '../grammar/counts.ts'
import { verdictDetail, verdictSentence, verdictTitle } from './node-verdict.ts'

/** How the end of a run looks: green, amber, red, or grey where it was ended by a person. */
export type EndingTone = 'good' | 'attention' | 'bad' | 'rest'

/** The colour of an end: green only where its node is what the run is for and nobody accepted anything. */
export function endingTone(ending: RunEnding): EndingTone {
  switch (ending.kind) {
    case 'NodeEmpty':
    case 'InService':
    case 'Finished':
      return ending.accepted.length === 0 ? 'good' : 'attention'
    case 'NodeNotEmpty':
      return isAsAgreed(ending.verdict) ? 'attention' : 'bad'
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

/** How a run ended, in two or three words: what lists, titles and badges say of it. */
export function endingWord(ending: RunEnding): string {
  switch (ending.kind) {
    case 'NodeEmpty':
    case 'InService':
    case 'Finished':
      return 'done'
    case 'NodeNotEmpty':
      if (isReached(ending)) return 'done'
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

/** The end of a run about one node as a title: `cmp-01 is not empty.`; null where no node was judged. `node`: how the node is called. */
export function endingTitle(ending: RunEnding, node?: string): string | null {
  return 'verdict' in ending ? verdictTitle(node ?? ending.node, ending.verdict) : null
}

/** What follows from it: what is left and why, `Safe to power off.`; null where no node was judged. */
export function endingDetail(ending: RunEnding): string | null {
  return 'verdict' in ending ? verdictDetail(ending.verdict) : null
}

/** The end of a run that went through, in a sentence or two. `what`: what a run without a judged node has done. */
export function endingSentence(ending: RunEnding, what: string): string {
  const said = 'verdict' in ending ? verdictSentence(ending.node, ending.verdict) : `${what}, verified.`
  const passed = ending.accepted.map(acceptedWords)
  return [said, ...passed].join(' ')
}

/** What a run that went through has done, where no node is judged. */
export function doneWords(plan: Plan): string {
  const { cluster, batches, steps } = plan
  switch (plan.kind) {
    case 'enter':
      return `${plan.node} is in maintenance`
    case 'leave':
    case 'maintain':
      return `${plan.node} is back in service`
    case 'home':
      return `The instances of ${plan.node} that could come home are there`
    case 'undo':
      return `What could be undone of the run on ${plan.node} is undone`
    case 'rescue':
      return `The instances of ${plan.node} that could be rescued are`
    case 'update':
      // A run of batches has no steps of the whole cluster before and after them.
      // Of an update of some nodes never more is said than of those.
      return steps.some(({ phase }) => phase === 'finalize') || batches.length === 0
        ? `The update of ${cluster} is done: ${counted(new Set(steps.flatMap(({ lane }) => lane?.name ?? [])).size, 'node')}`
        : `The nodes of ${cluster} that were planned are back in service`
    case 'rolling-maintenance':
      return `The nodes of ${cluster} that were planned are back in service`
  }
}

/** By which run it was undone, and where it worked on many nodes, on which. */
export function undoneWords(
  kind: RunKind,
  undoneBy: readonly { readonly runId: string; readonly node: string }[],
): readonly string[] {
  return undoneBy.map(({ runId, node }) =>
    isNodeRun(kind) ? `Undone by run ${runId}.` : `On ${node} undone by run ${runId}.`,
  )
}

/** That somebody stopped a run before its end. */
export function stoppedWords({ by, reason }: { readonly by: string; readonly reason: string }): string {
  return `Stopped by ${by}${reason === '' ? '.' : `: ${asSentence(reason)}`}`
}

/** The same with the reason that was given, for a list of its own. */
export function acceptedLine(accepted: Accepted): string {
  const said = asSentence(acceptedWords(accepted))
  return accepted.reason === '' ? said : `${said} Reason: ${asSentence(accepted.reason)}`
}

/** What a person accepted, for the end of a run. */
function acceptedWords(accepted: Accepted): string {
  switch (accepted.code) {
    case 'Override':
      return `Started anyway (${accepted.flag}): ${accepted.message}`
    case 'SkippedStep':
      return `Skipped${accepted.by === null ? '' : ` by ${accepted.by}`}: ${accepted.title}.`
  }
}

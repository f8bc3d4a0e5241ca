import type { RunCondition } from '../domain/run-condition.ts'
import type { RunWait } from '../domain/run-wait.ts'
import { asSentence } from '../grammar/counts.ts'
import { instantWords } from '../grammar/times.ts'
import { endingWord } from './run-ending.ts'
import { leftWords } from './run-left.ts'
import { waitSentence, waitText } from './waits.ts'

/** The condition of a run in a sentence or a few: its work, its waits and who can end them, or its end. */
export function conditionSentence(condition: RunCondition): string {
  switch (condition.kind) {
    case 'starting':
      return 'About to start.'
    case 'moving':
      return condition.at ?? 'Checking.'
    case 'waiting': {
      const [first, ...others] = condition.waits
      const more = others.filter(({ moves }) => !moves).length
      return `${first === undefined ? 'Waits.' : waitSentence(first)}${more === 0 ? '' : ` ${more} more ${more === 1 ? 'wait' : 'waits'} open.`}`
    }
    case 'paused': {
      const [question] = condition.waits
      return question === undefined ? 'Paused.' : `Paused, with an open question: ${waitText(question).what}`
    }
    case 'aborting':
      return 'Stopping: no new step starts.'
    case 'interrupted':
      return interruptedSentence(condition)
    case 'unheard':
      return `Not connected to runner ${condition.runner} since ${instantWords(condition.since)}: the run was ${condition.was} then, and continues without this console.`
    case 'over':
      return condition.summary
  }
}

/** A question stays open until it is answered. */
function interruptedSentence({ at, left, waits }: Extract<RunCondition, { kind: 'interrupted' }>): string {
  const [open, ...more] = waits
  const others = more.length === 0 ? '' : ` ${more.length} more ${more.length === 1 ? 'is' : 'are'} open.`
  return [
    ...(open === undefined ? [] : [`Paused with an open question: ${waitText(open).what}${others}`]),
    `No console runs it${at === null ? '' : `; it was at: ${at}`}.`,
    ...(left === null ? [] : [asSentence(leftWords(left))]),
  ].join(' ')
}

/** The condition of a run in two or three words. */
export function conditionWord(condition: RunCondition): string {
  switch (condition.kind) {
    case 'starting':
      return 'about to start'
    case 'moving':
      return 'running'
    case 'waiting':
      return WAIT_WORDS[condition.waits[0]?.for ?? 'world']
    case 'over':
      return endingWord(condition.ending)
    case 'paused':
    case 'aborting':
    case 'interrupted':
      return condition.kind
    case 'unheard':
      return 'not connected'
  }
}

/** The same as a verb: `is running`, `waits for an owner`, `has failed`. */
export function isOrWaits(condition: RunCondition): string {
  const word = conditionWord(condition)
  if (condition.kind === 'waiting') return word
  if (condition.kind !== 'over') return `is ${word}`
  switch (condition.ending.kind) {
    case 'Untouched':
      return 'has ended because its checks failed'
    case 'Stopped':
      return condition.ending.outcome === 'failed' ? 'has failed' : `is ${word}`
    case 'HeldBack':
      return condition.ending.verdict.kind === 'Unknown' ? `is ${word}` : word
    default:
      return `is ${word}`
  }
}

export const WAIT_WORDS: Readonly<Record<RunWait['for'], string>> = {
  answer: 'needs you',
  owner: 'waits for an owner',
  operator: 'needs you',
  controller: 'waits for a controller',
  budget: 'waits for a budget',
  world: 'waits',
}

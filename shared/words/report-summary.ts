import type { ReportOutcome } from '../domain/report.ts'
import { asSentence, counted, someOf } from '../grammar/counts.ts'
import { durationWords } from '../grammar/durations.ts'

/** How the work ended, for the headline of a report. `now`: when the report was made. */
export function outcomeWords(outcome: ReportOutcome, now: string): string {
  switch (outcome) {
    case 'done':
      return 'done and verified'
    case 'partly':
      return 'partly done'
    case 'failed':
      return 'failed'
    case 'aborted':
      return 'stopped by an operator'
    case 'checks-failed':
      return 'not begun, because checks failed'
    case 'handed-over':
      return 'handed over to a runner, whose journal has the rest'
    case 'under-way':
      return `not finished at ${now}`
    case 'interrupted':
      return `interrupted, and not finished at ${now}`
    case 'nothing':
      return 'nothing was done'
  }
}

interface InstanceFigures {
  readonly moved: number
  /** The part of them that was moved while stopped. */
  readonly cold: number
  readonly stopped: number
  /** Those that were down and run again. */
  readonly again: number
  readonly stayed: number
  readonly here: number
  readonly open: number
}

/** What the work did to instances. */
export function instancesSentence({ moved, cold, stopped, again, stayed, here, open }: InstanceFigures): string {
  const owners = stopped === 1 ? 'its owner starts it' : 'their owners start them'
  return `${[
    moved === 0 ? 'No instance was moved' : `${counted(moved, 'instance')} moved${during(cold)}`,
    ...(stopped > 0 ? [`${stopped} ${areOf(stopped)} down until ${owners}`] : []),
    ...(again > 0 ? [`${again} ${again === 1 ? 'was down and runs' : 'were down and run'} again`] : []),
    ...(stayed > 0 ? [`${stayed} stayed`] : []),
    ...(here > 0 ? [`${here} still here`] : []),
    ...(open > 0 ? [`${open} not reached or unknown`] : []),
  ].join(', ')}.`
}

function during(cold: number): string {
  return cold === 0 ? '' : ` (${cold} of them while stopped)`
}

function areOf(amount: number): string {
  return amount === 1 ? 'is' : 'are'
}

/** Which instances could not be moved; null if there is none. */
export function failedSentence(names: readonly string[]): string | null {
  return names.length === 0 ? null : `${counted(names.length, 'instance')} could not be moved: ${someOf(names)}.`
}

/** How many pods left, and how long budgets held them; null if none left. */
export function podsSentence(evicted: number, waitsMs: readonly number[]): string | null {
  if (evicted === 0) return null
  const held =
    waitsMs.length === 0
      ? ''
      : `; ${waitsMs.length} waited for a disruption budget, ${durationWords(Math.max(...waitsMs))} at most`
  return `${counted(evicted, 'pod')} evicted${held}.`
}

/** How long after its window the work ended; null if it ended in time. */
export function lateSentence(lateMs: number, end: string, isOver: boolean): string | null {
  if (lateMs === 0) return null
  const past = `past the window's end (${end})`
  return isOver
    ? `Work went ${durationWords(lateMs)} ${past}.`
    : `It is ${durationWords(lateMs)} ${past}, and work is not finished.`
}

/** How much went wrong, and which checks did not stop the start; null if there is nothing. */
export function problemSentence(incidents: number, overrides: number): string | null {
  const despite = overrides === 0 ? '' : `started in spite of ${counted(overrides, 'failed check')}, with reasons`
  if (incidents === 0) return despite === '' ? null : `S${despite.slice(1)}.`
  return asSentence([counted(incidents, 'incident'), despite].filter(text => text !== '').join('; '))
}

/** The number of places in which the journal is damaged; null if it is not damaged. */
export function damageSentence(places: number): string | null {
  return places === 0 ? null : `The journal is damaged in ${counted(places, 'place')}: this report may be incomplete.`
}

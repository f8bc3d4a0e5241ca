import { durationWords } from '../../../shared/grammar/durations.ts'
import type { MarkKind } from '../instance-mark.tsx'
import type { RunInstance, RunInstanceState } from './run-instances.ts'

/** The mark of an instance in a run; null for one with which nothing happens. */
export function markOf({ state, isOff }: Pick<RunInstance, 'state' | 'isOff'>): MarkKind | null {
  return state === 'stays' && !isOff ? null : MARKS[state]
}

const MARKS: Readonly<Record<RunInstanceState, MarkKind | null>> = {
  waits: 'moving',
  blocked: 'blocked',
  left: 'blocked',
  moving: 'moving',
  unknown: null,
  'to-move': 'moves',
  owner: 'waits',
  'not-moved': null,
  'not-followed': 'left',
  moved: 'left',
  gone: 'left',
  started: null,
  settled: null,
  stopped: 'stops',
  stops: 'stops',
  stays: 'off',
}

/** What happens to an instance while its run works. `place`: its place among those that still have to move. */
export function turnWords(instance: RunInstance, place: number, nowMs: number): string {
  const { state, to, span, down, percent, tries, isOff } = instance
  const lasted =
    span === null ? '' : durationWords((span.to === null ? nowMs : Date.parse(span.to)) - Date.parse(span.from))
  switch (state) {
    case 'waits':
      return 'waits'
    case 'blocked':
      return tries > 1 ? `gave up after ${tries} tries` : 'could not move'
    case 'left':
      return 'stays here'
    case 'moving':
      return percent === null ? `moving, ${lasted}` : `${percent} %, ${lasted}`
    case 'to-move':
      return place === 0 ? 'next' : 'then'
    case 'owner':
      return 'waits for owner'
    case 'moved':
    case 'gone':
      return [to === null ? 'moved' : `on ${to}`, lasted].filter(part => part !== '').join(', ')
    case 'stops':
      return 'stops with node'
    case 'stopped':
      return down === null ? 'off' : `off for ${durationWords(nowMs - Date.parse(down.from))}`
    case 'started':
      return down === null || down.to === null
        ? 'started again'
        : `was off ${durationWords(Date.parse(down.to) - Date.parse(down.from))}`
    case 'stays':
      return isOff ? 'stays off' : 'stays'
    case 'settled':
      return 'needs no move'
    case 'not-followed':
      return 'left to OpenStack'
    case 'unknown':
      return 'not followed to its end'
    case 'not-moved':
      return 'not started'
  }
}

/** What had happened to an instance when its run ended. */
export function happenedWords({ state, isOff, tries }: RunInstance): string {
  switch (state) {
    case 'waits':
    case 'left':
    case 'blocked':
      return 'Still here'
    case 'moving':
    case 'unknown':
      return 'Stopped half-way'
    case 'to-move':
    case 'not-moved':
      return tries > 0 ? 'Did not move' : 'Not started'
    case 'owner':
      return 'Waits for owner'
    case 'moved':
    case 'gone':
      return 'Moved'
    case 'not-followed':
      return 'Left to OpenStack'
    case 'stops':
      return 'Stops with node'
    case 'stopped':
      return 'Stopped'
    case 'started':
      return 'Started again'
    case 'settled':
      return 'Needed no move'
    case 'stays':
      return isOff ? 'Was off' : 'Stays'
  }
}

/** Its time, or its number of tries where it took several. */
export function triesWords({ tries, span, state }: RunInstance): string {
  if (tries > 1 && state !== 'moved' && state !== 'stopped') return `${tries} tries`
  if (span?.to == null) return tries === 1 ? '1 try' : '–'
  const lasted = durationWords(Date.parse(span.to) - Date.parse(span.from))
  return tries > 1 ? `${lasted}, ${tries} tries` : lasted
}

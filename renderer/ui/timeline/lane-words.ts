import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import type { RunWait } from '../../../shared/domain/run-wait.ts'
import type { NodeLane } from '../../../shared/domain/update.ts'
import { asPhrase, listed } from '../../../shared/grammar/counts.ts'
import { STAGE_EXPLAINED, STAGE_WORDS } from '../../../shared/words/updates.ts'
import { waitText } from '../../../shared/words/waits.ts'
import type { Ghost } from '../../geometry/timeline-forecast.ts'

/** The text beside a lane's bar. */
export interface LaneWords {
  readonly text: string
  /** Since when it waits, ticking; null if it does not wait, or this is unknown. */
  readonly since: string | null
  readonly tone: 'waits' | 'quiet'
  /** The whole text, on hover. */
  readonly title: string
}

/** Whether two lanes have the same text. */
export function readsSame(a: LaneWords, b: LaneWords): boolean {
  return a.text === b.text && a.since === b.since && a.tone === b.tone && a.title === b.title
}

interface Known {
  readonly ghost: Ghost | null
  /** Its turn, from 1; null if it has started, or the order is unknown. */
  readonly turn: number | null
  /** What the run waits for; null if it is not a run of this console. */
  readonly condition: RunCondition | null
  readonly left: number
  /** Null if unknown. */
  readonly toLeave: number | null
  readonly time: (ms: number) => string
}

/** The wait of a lane, since when; else its progress and expected end; else its turn. Null if there is no text. */
export function laneWords(lane: NodeLane, known: Known): LaneWords | null {
  const { ghost, turn, left, toLeave, time } = known
  const quiet = (text: string, title = text): LaneWords => ({ text, since: null, tone: 'quiet', title })
  if (lane.stage === 'done') return null
  if (lane.stage === 'unseen') return quiet(STAGE_WORDS.unseen, STAGE_EXPLAINED.unseen)
  if (lane.stage === 'skipped') return leftOut(lane, quiet)
  const wait = waitOf(lane, known.condition)
  if (wait !== null) return wait
  if (lane.stage === 'pending') {
    if (ghost?.kind !== 'unknown') return null
    if (turn === null) return quiet('no estimate yet')
    return turn === 1
      ? quiet('next · no estimate yet')
      : quiet(`${ordinal(turn)} in turn`, `${ordinal(turn)} in turn, no estimate yet`)
  }
  const far = toLeave === null || toLeave < left || left === 0 ? '' : `${left} of ${toLeave} moved · `
  switch (ghost?.kind) {
    case 'expected':
      return quiet(`${far}done about ${time(ghost.toMs)}`, `between ${time(ghost.toMs)} and ${time(ghost.lateMs)}`)
    case 'overdue':
      return quiet(`${far}takes longer than other nodes`)
    case 'unknown':
      return quiet(`${far}no estimate yet`)
    case undefined:
      return null
  }
}

/** `2nd`, `11th`. */
function ordinal(count: number): string {
  const last = count % 100 > 10 && count % 100 < 14 ? 0 : count % 10
  return `${count}${['th', 'st', 'nd', 'rd'][last] ?? 'th'}`
}

/** Why a node was left out, with the operator's reason. */
function leftOut(lane: NodeLane, quiet: (text: string, title?: string) => LaneWords): LaneWords {
  const reason = lane.spans.findLast(({ passed }) => passed !== undefined)?.passed?.trim() ?? ''
  return quiet(reason === '' ? 'left out' : `left out: ${reason}`)
}

function waitOf(lane: NodeLane, condition: RunCondition | null): LaneWords | null {
  const reported = condition?.kind === 'waiting' || condition?.kind === 'moving' ? condition.waits : []
  const own = reported.find(({ node, moves }) => node === lane.node && !moves)
  if (own !== undefined) return { text: whomWords(own), since: own.since, tone: 'waits', title: waitText(own).what }
  // For the runs of others, and for left runs, only the timeline is known.
  const last = lane.spans.at(-1)
  const open = last?.toAt === null ? last.waits.findLast(({ toAt }) => toAt === null) : undefined
  return open === undefined
    ? null
    : { text: `waits: ${open.what}`, since: open.fromAt, tone: 'waits', title: open.what }
}

/** What a run waits for, in two or three words. */
function whomWords(wait: RunWait): string {
  const { for: whom, instances } = wait
  switch (whom) {
    case 'answer':
      return 'your answer'
    case 'owner':
      return instances.length === 0 ? 'an owner' : `owner of ${listed(instances.map(({ name }) => name))}`
    case 'operator':
      return 'an operator'
    case 'controller':
      return wait.code === 'LockHeld' ? `controller ${wait.controller}` : 'a controller'
    case 'budget':
      return 'a disruption budget'
    case 'world':
      return asPhrase(waitText(wait).what)
  }
}

import { zonedWall } from '../grammar/times.ts'
import type { Span, TimeVerdict, WindowForecast } from './estimate.ts'
import { schedule, type TimedWork } from './schedule.ts'
import type { MaintenanceWindow } from './window.ts'

/** When work will be over: from the usual to what nine in ten stay below. */
export type Eta = NonNullable<WindowForecast['eta']>

/** Where the work of a window is heading. */
export type WindowProgress =
  /** Nothing of it goes on, and nothing of its plan is left to do. */
  | { readonly kind: 'nothing-ahead'; readonly endedAt: string | null }
  | {
      readonly kind: 'ahead'
      /** When it will be over without these nodes; null: that is not known. */
      readonly etaWithout: (left: ReadonlySet<string>) => Eta | null
      /** Nodes that are not begun, in the order in which their turn comes. */
      readonly notBegun: readonly string[]
      /** Whether a run of it goes on, or waits; false: it would begin now, or with the window. */
      readonly underWay: boolean
      /** Why the end is not known, in words without a full stop; asked only when it is not. */
      readonly whyNotKnown: string
      /** What an operator has to know besides, each a sentence. */
      readonly notes: readonly string[]
    }

/** A node that is still to be worked on, or is being worked on. */
export interface NodeAhead extends Pick<TimedWork, 'begunAt' | 'span'> {
  readonly node: string
}

/**
 * When parts of work that follow each other will be over, each with so many nodes at once. Null where the time of one node is not known, or
 * where all that is left took longer than was ever measured. Of a node that is overdue nothing more is known: it is named.
 */
export function etaOfParts(
  parts: readonly { readonly nodes: readonly NodeAhead[]; readonly atOnce: number }[],
  {
    from,
    besides,
    basis,
  }: {
    /** What is counted from: now, or the beginning of the window. */
    readonly from: string
    /** What is walked besides the nodes. */
    readonly besides: Span
    readonly basis: string
  },
): Eta | null {
  const fromMs = Date.parse(from)
  const named = parts.map(({ nodes, atOnce }) => ({
    atOnce,
    work: nodes.map(({ node, ...each }) => ({ name: node, ...each })),
  }))
  const ahead = schedule(named, from)
  if (ahead === null) return null
  const [lowMs, highMs] = [besides.lowMs + ahead.lowMs, besides.highMs + ahead.highMs]
  const { overdue } = ahead
  const late = overdue.length === 0 ? '' : `; ${overdue.join(', ')} took longer than that already and counts no more`
  return {
    lowAt: new Date(fromMs + lowMs).toISOString(),
    highAt: new Date(fromMs + highMs).toISOString(),
    basis: `${basis}${late}`,
  }
}

/** The later of two ends. */
export function laterEta(a: Eta, b: Eta): Eta {
  return {
    lowAt: a.lowAt > b.lowAt ? a.lowAt : b.lowAt,
    highAt: a.highAt > b.highAt ? a.highAt : b.highAt,
    basis: a.basis === b.basis ? a.basis : `${a.basis}; ${b.basis}`,
  }
}

/** Holds the end of a window's work against the window's end, and says what to leave out so that it ends in time. */
export function windowForecast(
  window: Pick<MaintenanceWindow, 'id' | 'endsAt' | 'timeZone'>,
  progress: WindowProgress,
  now: string,
): WindowForecast {
  const told = { windowId: window.id, readAt: now, endsAt: window.endsAt }
  const time = (at: string) => timeBeside(at, [window.endsAt, now], window.timeZone)
  const endMs = Date.parse(window.endsAt)
  const past = Date.parse(now) >= endMs
  const ends = `the window ${past ? 'ended' : 'ends'} at ${time(window.endsAt)}`
  if (progress.kind === 'nothing-ahead')
    return { ...told, eta: null, leaveOut: [], ...whenOver(progress.endedAt, endMs) }

  const eta = progress.etaWithout(new Set())
  const words = (sentence: string) => [sentence, ...progress.notes].join(' ')
  if (eta === null) {
    const verdict = past && progress.underWay ? 'overruns' : 'not-known'
    const goesOn = past && progress.underWay ? `Overruns: ${ends}, and its work is not over. ` : ''
    return {
      ...told,
      eta,
      verdict,
      leaveOut: [],
      words: words(`${goesOn}When it will be over is not known: ${progress.whyNotKnown}.`),
    }
  }
  const verdict = verdictOf(eta, endMs)
  const isSame = (a: string, b: string) => time(a) === time(b)
  const between = isSame(eta.lowAt, eta.highAt)
    ? `at about ${time(eta.lowAt)}`
    : `between ${time(eta.lowAt)} and ${time(eta.highAt)}`
  const would = progress.underWay ? 'It will be over' : 'Begun now, it would be over'
  if (verdict === 'in-time') {
    return { ...told, eta, verdict, leaveOut: [], words: words(`${would} ${between}; ${ends}.`) }
  }
  const leaveOut = leastToLeave(progress, endMs)
  const head =
    verdict === 'overruns'
      ? `Overruns: ${lower(would)} at ${time(eta.lowAt)} at the earliest, ${isSame(eta.lowAt, window.endsAt) ? `seconds after the window ${past ? 'ended' : 'ends'}` : `and ${ends}`}.`
      : `May overrun: ${lower(would)} ${between}, and ${ends}.`
  return {
    ...told,
    eta,
    verdict,
    leaveOut: [...leaveOut],
    words: words(`${head} ${leaveWords(leaveOut, progress.notBegun)}`),
  }

  function whenOver(endedAt: string | null, endsMs: number): { readonly verdict: TimeVerdict; readonly words: string } {
    if (endedAt === null) return { verdict: 'in-time', words: `Nothing of it is under way; ${ends}.` }
    const late = Date.parse(endedAt) > endsMs
    return { verdict: late ? 'overruns' : 'in-time', words: `Its work was over at ${time(endedAt)}; ${ends}.` }
  }
}

function verdictOf(eta: Eta, endMs: number): TimeVerdict {
  if (Date.parse(eta.lowAt) > endMs) return 'overruns'
  return Date.parse(eta.highAt) > endMs ? 'may-overrun' : 'in-time'
}

/** The fewest nodes, from the last on, without which even the slow end is in time; none when that does not help. */
function leastToLeave(
  { notBegun, etaWithout }: Extract<WindowProgress, { kind: 'ahead' }>,
  endMs: number,
): readonly string[] {
  const lastFirst = notBegun.toReversed()
  for (let count = 1; count <= lastFirst.length; count += 1) {
    const left = lastFirst.slice(0, count)
    const eta = etaWithout(new Set(left))
    if (eta !== null && Date.parse(eta.highAt) <= endMs) return left
  }
  return []
}

function leaveWords(leaveOut: readonly string[], notBegun: readonly string[]): string {
  if (leaveOut.length > 0) {
    return `Leave out ${leaveOut.join(', ')}, which ${leaveOut.length === 1 ? 'is' : 'are'} not begun, and it ends in time.`
  }
  return notBegun.length === 0
    ? 'Every node is begun, so nothing can be left out.'
    : 'Leaving out what is not begun does not help.'
}

/** The time alone while it is of the same day as these, in the zone of the window. */
function timeBeside(at: string, others: readonly string[], zone: string): string {
  const wall = zonedWall(at, zone)
  const day = wall.slice(0, 10)
  return others.every(other => zonedWall(other, zone).startsWith(day)) ? wall.slice(11) : wall
}

function lower(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

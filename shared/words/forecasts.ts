import type { EndEstimate, WindowForecast } from '../domain/estimate.ts'
import type { Eta, EtaReason, EtaReasons } from '../domain/estimate-findings.ts'
import type { ForecastFindings, ForecastNote, ForecastNotes } from '../domain/forecast-findings.ts'
import type { UpdateTimeline } from '../domain/update.ts'
import type { FoldedTimeline } from '../domain/update-fold.ts'
import type { FoundForecast } from '../domain/window-forecast.ts'
import { asPhrase } from '../grammar/counts.ts'
import { durationWords } from '../grammar/durations.ts'
import { zonedWall } from '../grammar/times.ts'
import { type TextsOf, textOf } from './coded-text.ts'
import { WAIT_WORDS } from './conditions.ts'
import { basisWords, endUnknownWords } from './estimates.ts'
import { waitText } from './waits.ts'

/** The source of an estimated end, without a full stop. */
function etaReasonWords(facts: EtaReason): string {
  switch (facts.code) {
    case 'NothingMeasured':
    case 'Measured':
      return asPhrase(basisWords(facts))
    case 'EveryNodeThrough':
      return 'every node has finished'
    case 'NodesOverdue':
      return `${facts.values.nodes.join(', ')} already took longer than that and no longer counts`
    case 'NodesThroughTook':
      return throughWords(facts.values)
  }
}

function throughWords({ through, middleMs, slowMs, left, overdue }: EtaReasons['NodesThroughTook']): string {
  const [middle, slow] = [durationWords(middleMs), durationWords(slowMs)]
  const those = through === 1 ? 'the one finished node took' : `${through} finished nodes took`
  const took = middle === slow ? `about ${middle}` : `${middle} (half of them) to ${slow} (nine in ten)`
  return `${those} ${took}; ${left === 1 ? 'one is' : `${left} are`} left, without ${without(overdue)}the work after the last node`
}

function without(overdue: readonly string[]): string {
  if (overdue.length === 0) return ''
  const names = overdue.length > 3 ? [...overdue.slice(0, 3), `${overdue.length - 3} more`] : overdue
  return `${names.join(', ')}, which ${overdue.length === 1 ? 'takes' : 'take'} longer than those, and `
}

function wordedEta({ lowAt, highAt, reasonsGiven }: Eta): EndEstimate {
  return {
    lowAt,
    highAt,
    basis: reasonsGiven.map(etaReasonWords).join('; '),
    reasonsGiven: reasonsGiven.map(({ code, values }) => ({ code, values: { ...values } })),
  }
}

export function wordedTimeline(timeline: FoldedTimeline): UpdateTimeline {
  return { ...timeline, eta: timeline.eta === null ? null : wordedEta(timeline.eta) }
}

/** The estimated end of a window's work; times are in its zone. */
export function wordedForecast(found: FoundForecast, timeZone: string): WindowForecast {
  const { windowId, readAt, endsAt, verdict, eta, leaveOut, finding, notes } = found
  return {
    windowId,
    readAt,
    endsAt,
    eta: eta === null ? null : wordedEta(eta),
    verdict,
    leaveOut: [...leaveOut],
    words: [findingWords(found, timeZone), ...notes.map(note => textOf(NOTES, note))].join(' '),
    code: finding.code,
    values: { ...finding.values },
    notes: notes.map(plainNote),
  }
}

function findingWords({ finding, eta, readAt, endsAt, leaveOut }: FoundForecast, timeZone: string): string {
  const time = (at: string) => timeBeside(at, [endsAt, readAt], timeZone)
  const past = Date.parse(readAt) >= Date.parse(endsAt)
  const ends = `the window ${past ? 'ended' : 'ends'} at ${time(endsAt)}`
  switch (finding.code) {
    case 'NothingUnderWay':
      return `No work of it is running; ${ends}.`
    case 'WorkOver':
      return `Its work ended at ${time(finding.values.endedAt)}; ${ends}.`
    case 'EndNotKnown':
      return notKnownWords(finding.values)
    case 'WorkGoesOnPastEnd':
      return `Late: ${ends}, but its work has not finished. ${notKnownWords(finding.values)}`
    case 'EndsInTime':
      return `${wouldWords(finding.values)} ${between(eta, time)}; ${ends}.`
    case 'MayOverrun':
      return `May end late: ${lower(wouldWords(finding.values))} ${between(eta, time)}, but ${ends}. ${leaveWords(leaveOut, finding.values)}`
    case 'Overruns': {
      const earliest = time(eta?.lowAt ?? endsAt)
      const late = earliest === time(endsAt) ? `seconds after the window ${past ? 'ended' : 'ends'}` : `but ${ends}`
      return `Ends late: ${lower(wouldWords(finding.values))} at ${earliest} at the earliest, ${late}. ${leaveWords(leaveOut, finding.values)}`
    }
  }
}

function notKnownWords({ because }: ForecastFindings['EndNotKnown']): string {
  return `The end is unknown: ${endUnknownWords(because)}.`
}

function wouldWords({ underWay }: ForecastFindings['EndsInTime']): string {
  return underWay ? 'It will end' : 'Started now, it would end'
}

function between(eta: Eta | null, time: (at: string) => string): string {
  const [low, high] = [time(eta?.lowAt ?? ''), time(eta?.highAt ?? '')]
  return low === high ? `at about ${low}` : `between ${low} and ${high}`
}

function leaveWords(leaveOut: readonly string[], { help }: ForecastFindings['MayOverrun']): string {
  switch (help) {
    case 'in-time':
      return `Leave out ${leaveOut.join(', ')}, which ${leaveOut.length === 1 ? 'has' : 'have'} not started, to end in time.`
    case 'every-node-begun':
      return 'Every node has started, so none can be left out.'
    case 'too-little':
      return 'Leaving out nodes that have not started does not help.'
  }
}

/** The time without its day, if the others are on the same day in the zone of the window. */
function timeBeside(at: string, others: readonly string[], zone: string): string {
  const wall = zonedWall(at, zone)
  const day = wall.slice(0, 10)
  return others.every(other => zonedWall(other, zone).startsWith(day)) ? wall.slice(11) : wall
}

function lower(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

const NOTES: TextsOf<ForecastNotes> = {
  RunInterrupted: ({ node }) => `${runWords(node)} is paused and has no console: resume it. The times count from now.`,
  RunWaits: ({ node, wait }) => {
    const whom =
      wait === null || wait.for === 'answer'
        ? 'waits for an answer'
        : `${WAIT_WORDS[wait.for]} (${asPhrase(waitText(wait).what)})`
    return `${runWords(node)} ${whom}: the times count from now.`
  },
  RunPaused: ({ node }) => `${runWords(node)} is paused: the times count from now.`,
  WorkNotCounted: ({ nodes }) =>
    `The times do not include the work on ${nodes.join(', ')}, only going out and coming back.`,
}

function runWords(node: string | null): string {
  return node === null ? 'The run' : `The run on ${node}`
}

/** Only the code of a wait; the run shows its text. */
function plainNote(note: ForecastNote): NonNullable<WindowForecast['notes']>[number] {
  if (note.code !== 'RunWaits') return { code: note.code, values: { ...note.values } }
  const { node, wait } = note.values
  return { code: note.code, values: { node, wait: wait?.code ?? null } }
}

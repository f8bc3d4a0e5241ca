import type { ReportInstance } from '../../shared/domain/report.ts'
import {
  factText,
  INSTANCE_MOVED,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  MIGRATION_REQUESTED,
  STOP_REQUESTED,
  subjectName,
  WATCHER_ACTION,
} from '../../shared/domain/run-facts.ts'
import { momentWords } from '../../shared/grammar/times.ts'
import { instanceOutcome } from './instance-outcome.ts'
import { type InstancePlace, type InstanceTale, placeOf, powerWords, talesOf, textOf } from './instance-tales.ts'
import type { Material, ReportedRun, ToldFact } from './material.ts'

/** Every instance that a run looked at or touched, as it was before and as it was seen last on that node's account. */
export function buildInstances({ runs, timeZone }: Pick<Material, 'runs' | 'timeZone'>): readonly ReportInstance[] {
  // A node's return tells how those are that were not moved away: the last tale of them on that node goes on.
  const latest = new Map<string, InstanceTale>()
  const told = runs.map(run => ({ run, tales: talesOf(run, latest) }))
  return told.flatMap(({ run, tales }) => tales.map(tale => instanceFrom(tale, run, timeZone)))
}

function instanceFrom(tale: InstanceTale, run: ReportedRun, timeZone: string): ReportInstance {
  const { id, node, effect, effectHost, facts } = tale
  const requests = facts.filter(({ fact }) => fact === MIGRATION_REQUESTED || fact === STOP_REQUESTED)
  const [first] = requests
  const before: InstancePlace = {
    host: textOf(first?.values.source) ?? effectHost ?? watcherSource(facts),
    status: textOf(first?.values.statusBefore) ?? effect?.status ?? null,
    power: powerWords(effect?.powerState ?? null) ?? (tale.ran ? 'Running' : null),
  }
  const after = afterOf(tale)
  const { outcome, words } = instanceOutcome({ tale, after, before, timeZone }, run)
  const arrived = facts.findLast(({ fact }) => fact === INSTANCE_MOVED)
  const asked =
    arrived === undefined ? undefined : requests.findLast(({ at }) => Date.parse(at) <= Date.parse(arrived.at))
  const stopped = facts.findLast(
    fact => fact.fact === INSTANCE_STOPPED || (fact.values.type === 'stop' && fact.values.state === 'SUCCEEDED'),
  )
  const known = effect?.name ?? tale.name ?? facts.map(fact => factText(fact, 'name')).find(name => name !== null)
  return {
    id,
    name: known ?? (facts[0] === undefined ? id : subjectName(facts[0])),
    projectId: effect?.projectId ?? null,
    node,
    runId: run.view.id,
    action: effect?.action ?? (first?.fact === STOP_REQUESTED ? 'stop' : moveAction(first)),
    reason: effect?.reason ?? '',
    before,
    after,
    attempts: attemptsOf(requests, facts, run),
    moveMs: arrived === undefined || asked === undefined ? null : Date.parse(arrived.at) - Date.parse(asked.at),
    ...downtimeOf(tale, before, stopped?.at ?? null, timeZone),
    outcome,
    words,
  }
}

/** How often the run asked; null: the OpenStack Controller or Watcher asks there, as often as they do, and tells nobody how often. */
function attemptsOf(requests: readonly ToldFact[], facts: readonly ToldFact[], { view }: ReportedRun): number | null {
  const isOthers =
    view.plan.steps.some(({ kind }) => kind === 'node-locks-inactive') ||
    facts.some(({ fact }) => fact === WATCHER_ACTION)
  if (requests.length === 0 && isOthers) return null
  // A request that is sent again after an interruption is the same attempt.
  return requests.filter(({ values }) => values.again !== true).length
}

/** The last that is known of it: what it was seen as, or what was told of its arrival or its stop; null: nobody looked. */
function afterOf({ facts, looks }: InstanceTale): InstancePlace | null {
  const after = looks.at(-1) ?? null
  const last = facts.findLast(isEnd)
  if (last === undefined) return after?.place ?? null
  const isLater = after !== null && Date.parse(after.at) >= Date.parse(last.at)
  // Seen somewhere else later, it was moved on, such as by the next node's work: not what this node's work came to.
  const isElsewhere = factText(last, 'to') !== null && after?.place.host !== factText(last, 'to')
  if (isLater && !isElsewhere) return after.place
  const { to, host, status, powerState } = last.values
  if (last.fact === INSTANCE_STOPPED && host === undefined) return after?.place ?? null
  const isInPlace = last.fact === INSTANCE_STOPPED || last.fact === INSTANCE_STARTED || last.values.type === 'stop'
  return placeOf(isInPlace ? host : to, status, powerState)
}

/** Whether a fact tells where an instance is from then on. */
function isEnd({ fact, values }: ToldFact): boolean {
  if (fact === INSTANCE_MOVED || fact === INSTANCE_STOPPED || fact === INSTANCE_STARTED) return true
  return fact === WATCHER_ACTION && values.state === 'SUCCEEDED'
}

function watcherSource(facts: readonly ToldFact[]): string | null {
  return facts.map(({ values }) => textOf(values.source)).find(source => source !== null) ?? null
}

function moveAction(request: ToldFact | undefined): string {
  if (request === undefined) return 'not known'
  if (request.values.how === 'evacuate') return 'evacuate'
  return request.values.how === 'cold' ? 'cold_migrate' : 'live_migrate'
}

/**
 * How long its users were without it. From the moment at which the run stopped it; one that went down with its node went down between the last
 * look at which it ran and the first at which it did not, and the longest that can have been is told. Until it was seen to run again: who starts it
 * otherwise, the journal does not know.
 */
function downtimeOf(
  { facts, looks }: InstanceTale,
  before: InstancePlace,
  stoppedAt: string | null,
  timeZone: string,
): Pick<ReportInstance, 'downtimeMs' | 'downtimeWords'> {
  const firstDown = stoppedAt ?? looks.find(({ place }) => isDown(place))?.at
  if (firstDown === undefined || (stoppedAt === null && before.power !== 'Running' && before.power !== 'Paused')) {
    return { downtimeMs: null, downtimeWords: null }
  }
  const isBefore = (at: string, other: string) => Date.parse(at) < Date.parse(other)
  const lastUp = looks.findLast(({ at, place }) => place.power === 'Running' && isBefore(at, firstDown))?.at
  const from = stoppedAt ?? lastUp ?? null
  const began =
    stoppedAt !== null
      ? `Down from ${momentWords(stoppedAt, timeZone)}`
      : `Went down with its node${lastUp === undefined ? '' : ` after ${momentWords(lastUp, timeZone)}, when it still ran,`} and was down at ${momentWords(firstDown, timeZone)}`
  const runsAgain = [
    ...facts.filter(({ fact }) => fact === INSTANCE_STARTED).map(({ at }) => at),
    ...looks.filter(({ place }) => place.power === 'Running').map(({ at }) => at),
  ]
    .filter(at => isBefore(firstDown, at))
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))[0]
  if (runsAgain !== undefined) {
    return {
      downtimeMs: from === null ? null : Date.parse(runsAgain) - Date.parse(from),
      downtimeWords: `${began}; running again when it was seen at ${momentWords(runsAgain, timeZone)}.`,
    }
  }
  const last = looks.at(-1)
  const words =
    last === undefined || !isBefore(firstDown, last.at)
      ? 'its end is not in the journal'
      : `still ${last.place.status ?? 'down'} when it was seen last, at ${momentWords(last.at, timeZone)}`
  return { downtimeMs: null, downtimeWords: `${began}; ${words}.` }
}

function isDown({ power }: InstancePlace): boolean {
  return power !== null && power !== 'Running' && power !== 'Paused'
}

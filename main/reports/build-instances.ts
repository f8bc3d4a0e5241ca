import type { Json } from '../../shared/domain/json.ts'
import type { Effect, Evidence } from '../../shared/domain/plan.ts'
import { runningOf } from '../../shared/domain/ran-before.ts'
import type { ReportInstance } from '../../shared/domain/report.ts'
import {
  ATTEMPTS_EXHAUSTED,
  factText,
  INSTANCE_MOVED,
  INSTANCE_SEEN,
  INSTANCE_SETTLED,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  INSTANCES_NOTED,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
  START_REQUESTED,
  STOP_REQUESTED,
  subjectName,
  WATCHER_ACTION,
} from '../../shared/domain/run-facts.ts'
import { instanceOutcome } from './instance-outcome.ts'
import { answersOf, factsOf, type Material, type ReportedRun, type ToldFact } from './material.ts'
import { momentWords } from './report-words.ts'

type InstanceEffect = Extract<Effect, { kind: 'instance' }>
type Place = ReportInstance['before']

/** What the journal tells of one instance on one node in one run. */
export interface InstanceTale {
  readonly id: string
  readonly node: string
  name: string | null
  /** What was decided about it before anything was done to it. */
  effect: InstanceEffect | null
  /** The host whose instances were looked at when it was decided. */
  effectHost: string | null
  readonly facts: ToldFact[]
  /** Whether it ran when its node's turn came. */
  ran: boolean
  /** Every look at it after that, the last one last. */
  readonly looks: { readonly at: string; readonly place: Place }[]
}

/** Every instance that a run looked at or touched, as it was before and as it was seen last on that node's account. */
export function buildInstances({ runs, timeZone }: Pick<Material, 'runs' | 'timeZone'>): readonly ReportInstance[] {
  // A node's return tells how those are that were not moved away: the last tale of them on that node goes on.
  const latest = new Map<string, InstanceTale>()
  const told = runs.map(run => ({ run, tales: talesOf(run, latest) }))
  return told.flatMap(({ run, tales }) => tales.map(tale => instanceFrom(tale, run, timeZone)))
}

function talesOf(run: ReportedRun, latest: Map<string, InstanceTale>): readonly InstanceTale[] {
  const tales = new Map<string, InstanceTale>()
  const hosts = new Map<string, string>()
  const taleOf = (node: string, id: string): InstanceTale => {
    const key = `${node}\n${id}`
    const known: InstanceTale = tales.get(key) ?? {
      id,
      node,
      name: null,
      effect: null,
      effectHost: null,
      facts: [],
      ran: false,
      looks: [],
    }
    tales.set(key, known)
    latest.set(key, known)
    return known
  }
  for (const moment of momentsOf(run)) {
    const { node } = moment
    if (moment.kind === 'fact') {
      const id = idOf(moment.subject)
      if (moment.fact === INSTANCES_NOTED) {
        // Also those that came after it was decided what happens to the others.
        for (const noted of notedIds(moment.values)) taleOf(node, noted).effectHost ??= textOf(moment.values.host)
        for (const { id: running } of runningOf(moment)) taleOf(node, running).ran = true
      } else if (moment.fact === INSTANCE_SEEN && id !== null) {
        const tale = latest.get(`${node}\n${id}`)
        if (tale === undefined) continue
        tale.looks.push({ at: moment.at, place: seenPlace(moment.values) })
        tale.name ??= factText(moment, 'name')
      } else if (id !== null && ABOUT_INSTANCES.has(moment.fact)) taleOf(node, id).facts.push(moment)
      continue
    }
    const { answer } = moment
    const host = hostLookedAt(answer.evidence) ?? hosts.get(node) ?? null
    if (host !== null) hosts.set(node, host)
    for (const effect of 'effects' in answer ? answer.effects : []) {
      if (effect.kind !== 'instance') continue
      const tale = taleOf(node, effect.id)
      // What is decided anew once it was touched is about another state of it.
      if (tale.facts.length > 0 || tale.looks.length > 0) continue
      tale.effect = effect
      tale.effectHost = host
    }
    for (const { at, id, place } of answer.evidence.flatMap(placesRead)) {
      const tale = latest.get(`${node}\n${id}`)
      if (tale !== undefined) tale.looks.push({ at, place })
    }
  }
  return [...tales.values()]
}

function momentsOf(run: ReportedRun) {
  return [
    ...answersOf(run).map(told => ({ kind: 'answer' as const, ...told })),
    ...factsOf(run).map(told => ({ kind: 'fact' as const, ...told })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function instanceFrom(tale: InstanceTale, run: ReportedRun, timeZone: string): ReportInstance {
  const { id, node, effect, effectHost, facts } = tale
  const requests = facts.filter(({ fact }) => fact === MIGRATION_REQUESTED || fact === STOP_REQUESTED)
  const [first] = requests
  const before: Place = {
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
    // A request that is sent again after an interruption is the same attempt.
    attempts: requests.filter(({ values }) => values.again !== true).length,
    moveMs: arrived === undefined || asked === undefined ? null : Date.parse(arrived.at) - Date.parse(asked.at),
    ...downtimeOf(tale, before, stopped?.at ?? null, timeZone),
    outcome,
    words,
  }
}

/** The last that is known of it: what it was seen as, or what was told of its arrival or its stop; null: nobody looked. */
function afterOf({ facts, looks }: InstanceTale): Place | null {
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

function placeOf(host: Json | undefined, status: Json | undefined, power: Json | undefined): Place {
  return { host: textOf(host), status: textOf(status), power: powerWords(typeof power === 'number' ? power : null) }
}

function notedIds({ ids }: Readonly<Record<string, Json>>): readonly string[] {
  return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : []
}

function seenPlace(values: Readonly<Record<string, Json>>): Place {
  return placeOf(values.host, values.status, values.powerState)
}

/** Where instances were found: each by itself, or as the list of those that are still on a host. */
function placesRead({ subject, readAt: at, values }: Evidence): readonly LookedAt[] {
  const id = idOf(subject)
  if (id !== null) {
    const { now, host, powerState } = values
    return now === undefined || host === undefined ? [] : [{ at, id, place: placeOf(host, now, powerState) }]
  }
  const host = hostOf(subject)
  if (host === null) return []
  return [values.left, values.staying]
    .flatMap(list => (Array.isArray(list) ? list : []))
    .flatMap(each => {
      if (!isRecord(each) || typeof each.id !== 'string' || typeof each.status !== 'string') return []
      return [{ at, id: each.id, place: placeOf(host, each.status, undefined) }]
    })
}

interface LookedAt {
  readonly at: string
  readonly id: string
  readonly place: Place
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hostLookedAt(evidence: readonly Evidence[]): string | null {
  return evidence.map(({ subject }) => hostOf(subject)).find(host => host !== null) ?? null
}

/** The host in `instances on cmp-1` or `nova-compute on cmp-1`. */
function hostOf(subject: string): string | null {
  return /^(?:instances|nova-compute) on (.+)$/.exec(subject)?.[1] ?? null
}

/** The id in `server/<id>` or `server/<id> (name)`. */
function idOf(subject: string): string | null {
  return /^server\/([^ ]+)/.exec(subject)?.[1] ?? null
}

function watcherSource(facts: readonly ToldFact[]): string | null {
  return facts.map(({ values }) => textOf(values.source)).find(source => source !== null) ?? null
}

function moveAction(request: ToldFact | undefined): string {
  if (request === undefined) return 'not known'
  return request.values.how === 'cold' ? 'cold_migrate' : 'live_migrate'
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * How long its users were without it. From the moment at which the run stopped it; one that went down with its node went down between the last
 * look at which it ran and the first at which it did not, and the longest that can have been is told. Until it was seen to run again: who starts it
 * otherwise, the journal does not know.
 */
function downtimeOf(
  { facts, looks }: InstanceTale,
  before: Place,
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

function isDown({ power }: Place): boolean {
  return power !== null && power !== 'Running' && power !== 'Paused'
}

/** As Nova's clients call its numbers (nova/compute/power_state.py). */
function powerWords(state: number | null): string | null {
  return state === null ? null : (POWER_STATES.get(state) ?? String(state))
}

const POWER_STATES: ReadonlyMap<number, string> = new Map([
  [0, 'NoState'],
  [1, 'Running'],
  [3, 'Paused'],
  [4, 'Shutdown'],
  [6, 'Crashed'],
  [7, 'Suspended'],
])

const ABOUT_INSTANCES: ReadonlySet<string> = new Set([
  MIGRATION_REQUESTED,
  STOP_REQUESTED,
  INSTANCE_STOPPED,
  START_REQUESTED,
  INSTANCE_STARTED,
  INSTANCE_MOVED,
  MIGRATION_FAILED,
  ATTEMPTS_EXHAUSTED,
  INSTANCE_SETTLED,
  WATCHER_ACTION,
])

import type { Json } from '../../shared/domain/json.ts'
import type { Effect, Evidence } from '../../shared/domain/plan.ts'
import type { ReportInstance } from '../../shared/domain/report.ts'
import {
  ATTEMPTS_EXHAUSTED,
  factText,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  INSTANCE_STOPPED,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
  STOP_REQUESTED,
  subjectName,
  WATCHER_ACTION,
} from '../../shared/domain/run-facts.ts'
import { instanceOutcome } from './instance-outcome.ts'
import { answersOf, factsOf, type Material, type ReportedRun, type ToldFact } from './material.ts'

type InstanceEffect = Extract<Effect, { kind: 'instance' }>
type Place = ReportInstance['before']

/** What the journal tells of one instance on one node in one run. */
export interface InstanceTale {
  readonly id: string
  readonly node: string
  /** What was decided about it before anything was done to it. */
  effect: InstanceEffect | null
  /** The host whose instances were looked at when it was decided. */
  effectHost: string | null
  readonly facts: ToldFact[]
  /** The last look at it after that. */
  after: { readonly at: string; readonly place: Place } | null
}

/** Every instance that a run looked at or touched, as it was before and as it was seen last. */
export function buildInstances({ runs }: Pick<Material, 'runs'>): readonly ReportInstance[] {
  return runs.flatMap(run => talesOf(run).map(tale => instanceFrom(tale, run)))
}

function talesOf(run: ReportedRun): readonly InstanceTale[] {
  const tales = new Map<string, InstanceTale>()
  const taleOf = (node: string, id: string): InstanceTale => {
    const key = `${node}\n${id}`
    const known: InstanceTale = tales.get(key) ?? { id, node, effect: null, effectHost: null, facts: [], after: null }
    tales.set(key, known)
    return known
  }
  const moments = [
    ...answersOf(run).map(told => ({ kind: 'answer' as const, ...told })),
    ...factsOf(run).map(told => ({ kind: 'fact' as const, ...told })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  for (const moment of moments) {
    if (moment.kind === 'fact') {
      const id = idOf(moment.subject)
      if (id !== null && ABOUT_INSTANCES.has(moment.fact)) taleOf(moment.node, id).facts.push(moment)
      continue
    }
    const { node, answer } = moment
    const host = hostLookedAt(answer.evidence)
    for (const effect of 'effects' in answer ? answer.effects : []) {
      if (effect.kind !== 'instance') continue
      const tale = taleOf(node, effect.id)
      // What is decided anew once it was touched is about another state of it.
      if (tale.facts.length > 0) continue
      tale.effect = effect
      tale.effectHost = host ?? tale.effectHost
    }
    for (const read of answer.evidence) {
      const place = placeRead(read)
      const id = idOf(read.subject)
      if (place === null || id === null) continue
      const tale = tales.get(`${node}\n${id}`)
      if (tale !== undefined) tale.after = { at: read.readAt, place }
    }
  }
  return [...tales.values()]
}

function instanceFrom(tale: InstanceTale, run: ReportedRun): ReportInstance {
  const { id, node, effect, effectHost, facts } = tale
  const requests = facts.filter(({ fact }) => fact === MIGRATION_REQUESTED || fact === STOP_REQUESTED)
  const [first] = requests
  const before: Place = {
    host: textOf(first?.values.source) ?? effectHost ?? watcherSource(facts),
    status: textOf(first?.values.statusBefore) ?? effect?.status ?? null,
    power: powerWords(effect?.powerState ?? null),
  }
  const after = afterOf(tale)
  const { outcome, words } = instanceOutcome({ tale, after, before }, run)
  const arrived = facts.findLast(({ fact }) => fact === INSTANCE_MOVED)
  const asked =
    arrived === undefined ? undefined : requests.findLast(({ at }) => Date.parse(at) <= Date.parse(arrived.at))
  const stopped = facts.findLast(({ fact }) => fact === INSTANCE_STOPPED)
  const known = effect?.name ?? facts.map(fact => factText(fact, 'name')).find(name => name !== null)
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
    downtimeMs: null,
    downtimeWords:
      stopped === undefined
        ? null
        : `Stopped at ${stopped.at}. Lockkeeper does not start instances again: when its owner did is not in the journal.`,
    outcome,
    words,
  }
}

/** The last that is known of it: what it was seen as, or what was told of its arrival or its stop; null: nobody looked. */
function afterOf({ facts, after }: InstanceTale): Place | null {
  const last = facts.findLast(
    ({ fact }) => fact === INSTANCE_MOVED || fact === INSTANCE_STOPPED || fact === WATCHER_ACTION,
  )
  if (last !== undefined && (after === null || Date.parse(after.at) < Date.parse(last.at))) {
    if (last.fact === INSTANCE_MOVED) {
      return placeOf(last.values.to, last.values.status, last.values.powerState)
    }
    if (last.fact === INSTANCE_STOPPED && last.values.host !== undefined) {
      return placeOf(last.values.host, last.values.status, last.values.powerState)
    }
    const moved = MOVES.has(textOf(last.values.type) ?? '') && last.values.state === 'SUCCEEDED'
    if (moved && textOf(last.values.to) !== null) return placeOf(last.values.to, null, null)
  }
  return after?.place ?? null
}

function placeOf(host: Json | undefined, status: Json | undefined, power: Json | undefined): Place {
  return { host: textOf(host), status: textOf(status), power: powerWords(typeof power === 'number' ? power : null) }
}

/** Where a look at an instance found it; null where the look was about something else. */
function placeRead({ values }: Evidence): Place | null {
  return values.now === undefined || values.host === undefined
    ? null
    : placeOf(values.host, values.now, values.powerState)
}

function hostLookedAt(evidence: readonly Evidence[]): string | null {
  for (const { subject } of evidence) {
    const host = /^instances on (.+)$/.exec(subject)?.[1]
    if (host !== undefined) return host
  }
  return null
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

/** Actions of Watcher after which an instance is elsewhere. */
const MOVES: ReadonlySet<string> = new Set(['live-migrate', 'cold-migrate'])

const ABOUT_INSTANCES: ReadonlySet<string> = new Set([
  MIGRATION_REQUESTED,
  STOP_REQUESTED,
  INSTANCE_STOPPED,
  INSTANCE_MOVED,
  MIGRATION_FAILED,
  ATTEMPTS_EXHAUSTED,
  INSTANCE_SETTLED,
  WATCHER_ACTION,
])

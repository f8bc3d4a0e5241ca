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
  WATCHER_ACTION,
} from '../../shared/domain/run-facts.ts'
import { answersOf, factsOf, type ReportedRun, type ToldFact } from './material.ts'

type InstanceEffect = Extract<Effect, { kind: 'instance' }>

/** Where and how an instance is: host, Nova's status, power. */
export type InstancePlace = ReportInstance['before']

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
  readonly looks: { readonly at: string; readonly place: InstancePlace }[]
}

/** The tales of one run, in the order in which they begin. `latest`: those of earlier runs, by node and instance; this run's looks go on with them. */
export function talesOf(run: ReportedRun, latest: Map<string, InstanceTale>): readonly InstanceTale[] {
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
      // A decision made anew once it was touched is about another state of it.
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

/** The place that a fact or a look tells. */
export function placeOf(host: Json | undefined, status: Json | undefined, power: Json | undefined): InstancePlace {
  return { host: textOf(host), status: textOf(status), power: powerWords(typeof power === 'number' ? power : null) }
}

function notedIds({ ids }: Readonly<Record<string, Json>>): readonly string[] {
  return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : []
}

function seenPlace(values: Readonly<Record<string, Json>>): InstancePlace {
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
  readonly place: InstancePlace
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

/** A text that says something; null: there is none. */
export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** As Nova's clients call its numbers (nova/compute/power_state.py). */
export function powerWords(state: number | null): string | null {
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

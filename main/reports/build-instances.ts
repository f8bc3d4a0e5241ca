import { type InstanceHistory, type InstanceLook, isOfTheRun } from '../../shared/domain/instance-history.ts'
import type { Json } from '../../shared/domain/json.ts'
import type { Pieces } from '../../shared/domain/pieces.ts'
import { powerStateOf } from '../../shared/domain/power-state.ts'
import { PAUSED, RUNNING } from '../../shared/domain/ran-before.ts'
import type { ReportInstance } from '../../shared/domain/report.ts'
import type { RunFact } from '../../shared/domain/run.ts'
import {
  factText,
  INSTANCE_MOVED,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  WATCHER_ACTION,
} from '../../shared/domain/run-facts.ts'
import { momentWords } from '../../shared/grammar/times.ts'
import { instanceOutcome } from './instance-outcome.ts'
import { historyOfRun, type Material, type ReportedRun } from './material.ts'

/** The host, the status in Nova and the power state of an instance. */
type InstancePlace = ReportInstance['before']

/** The history of an instance in a run, and every later look at it, also by later runs on its node. */
interface Row {
  readonly instance: InstanceHistory
  readonly run: ReportedRun
  readonly looks: InstanceLook[]
}

/** Instances between two yields: some milliseconds. */
const INSTANCES_AT_ONCE = 50

/** Every instance that a run read or changed: before the run, and when a run on that node last saw it. */
export function* buildInstances({
  runs,
  timeZone,
}: Pick<Material, 'runs' | 'timeZone'>): Pieces<readonly ReportInstance[]> {
  // The run that brings a node back also reads the instances that stayed there: the results belong to the row of the earlier run.
  const latest = new Map<string, Row>()
  const rows = runs.flatMap(run => {
    const { instances } = historyOfRun(run)
    return [...instances].flatMap(([key, instance]) => {
      latest.get(key)?.looks.push(...instance.earlierLooks)
      if (!isOfTheRun(instance)) return []
      const row: Row = { instance, run, looks: instance.looks.filter(({ of }) => of === 'seen' || of === 'read') }
      latest.set(key, row)
      return [row]
    })
  })
  const built: ReportInstance[] = []
  for (const [at, row] of rows.entries()) {
    if (at % INSTANCES_AT_ONCE === 0) yield
    built.push(instanceFrom(row, timeZone))
  }
  return built
}

function instanceFrom(row: Row, timeZone: string): ReportInstance {
  const { instance, run, looks } = row
  const { id, node, effect, effectHost, attempts } = instance
  const requests = attempts.flatMap(({ asked }) => asked ?? [])
  const [first] = requests
  const before: InstancePlace = {
    host: first?.source ?? effectHost ?? attempts.map(({ from }) => from).find(from => from !== null) ?? null,
    status: first?.statusBefore ?? effect?.status ?? null,
    power: powerStateOf(effect?.powerState ?? null) ?? (instance.ran ? 'Running' : null),
  }
  const after = afterOf(row)
  const { outcome, words } = instanceOutcome({ instance, looks, after, before, timeZone }, run)
  const arrived = attempts.findLast(({ end, by }) => end?.kind === 'moved' && by !== 'watcher')
  const stopped = attempts.findLast(({ end }) => end?.kind === 'stopped')?.end ?? null
  return {
    id,
    name: effect?.name ?? instance.name ?? id,
    projectId: effect?.projectId ?? null,
    node,
    runId: run.view.id,
    action: effect?.action ?? (first === undefined ? 'unknown' : ACTIONS[first.how]),
    reason: effect?.reason ?? '',
    before,
    after,
    attempts: attemptsOf(row, run),
    moveMs:
      arrived?.end == null || arrived.asked === null ? null : Date.parse(arrived.end.at) - Date.parse(arrived.asked.at),
    ...downtimeOf(row, before, stopped?.at ?? null, timeZone),
    outcome,
    words,
  }
}

const ACTIONS = { live: 'live_migrate', cold: 'cold_migrate', evacuate: 'evacuate', stop: 'stop' } as const

/** How often the run requested it; null if the OpenStack Controller or Watcher did, and the number is unknown. */
function attemptsOf({ instance }: Pick<Row, 'instance'>, { view }: ReportedRun): number | null {
  const asked = instance.attempts.flatMap(each => each.asked ?? [])
  const isOthers =
    view.plan.steps.some(({ kind }) => kind === 'node-locks-inactive') ||
    instance.attempts.some(({ by }) => by === 'watcher')
  if (asked.length === 0 && isOthers) return null
  // A request that a run sends again after an interruption is the same attempt.
  return asked.filter(({ isAgain }) => !isAgain).length
}

/** The last known place: where it was seen, or where it arrived or stopped; null if nobody looked. */
function afterOf({ instance: { reported }, looks }: Pick<Row, 'instance' | 'looks'>): InstancePlace | null {
  const after = looks.at(-1)
  const last = reported.findLast(isEnd)
  if (last === undefined) return after === undefined ? null : placeSeen(after)
  const isLater = after !== undefined && Date.parse(after.at) >= Date.parse(last.at)
  // If it was seen somewhere else later, the work on another node moved it: that is not the result of the work on this node.
  const isElsewhere = factText(last, 'to') !== null && after?.host !== factText(last, 'to')
  if (isLater && !isElsewhere) return placeSeen(after)
  const { to, host, status, powerState } = last.values
  if (last.fact === INSTANCE_STOPPED && host === undefined) return after === undefined ? null : placeSeen(after)
  const isInPlace = last.fact === INSTANCE_STOPPED || last.fact === INSTANCE_STARTED || last.values.type === 'stop'
  return placeOf(isInPlace ? host : to, status, powerState)
}

function isEnd({ fact, values }: RunFact): boolean {
  if (fact === INSTANCE_MOVED || fact === INSTANCE_STOPPED || fact === INSTANCE_STARTED) return true
  return fact === WATCHER_ACTION && values.state === 'SUCCEEDED'
}

/** The longest possible downtime: from the stop, or the last read that saw it run, to the first read that saw it run again. */
function downtimeOf(
  { instance: { reported }, looks }: Pick<Row, 'instance' | 'looks'>,
  before: InstancePlace,
  stoppedAt: string | null,
  timeZone: string,
): Pick<ReportInstance, 'downtimeMs' | 'downtimeWords'> {
  const firstDown = stoppedAt ?? looks.find(({ power }) => isDown(power))?.at
  if (firstDown === undefined || (stoppedAt === null && before.power !== 'Running' && before.power !== 'Paused')) {
    return { downtimeMs: null, downtimeWords: null }
  }
  const isBefore = (at: string, other: string) => Date.parse(at) < Date.parse(other)
  const lastUp = looks.findLast(({ at, power }) => power === RUNNING && isBefore(at, firstDown))?.at
  const from = stoppedAt ?? lastUp ?? null
  const began =
    stoppedAt !== null
      ? `Down from ${momentWords(stoppedAt, timeZone)}`
      : `Went down with its node${lastUp === undefined ? '' : ` after ${momentWords(lastUp, timeZone)}`} and was down at ${momentWords(firstDown, timeZone)}`
  const runsAgain = [
    ...reported.filter(({ fact }) => fact === INSTANCE_STARTED).map(({ at }) => at),
    ...looks.filter(({ power }) => power === RUNNING).map(({ at }) => at),
  ]
    .filter(at => isBefore(firstDown, at))
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))[0]
  if (runsAgain !== undefined) {
    return {
      downtimeMs: from === null ? null : Date.parse(runsAgain) - Date.parse(from),
      downtimeWords: `${began}. It was running at ${momentWords(runsAgain, timeZone)}.`,
    }
  }
  const last = looks.at(-1)
  const words =
    last === undefined || !isBefore(firstDown, last.at)
      ? 'The journal does not say when it ended'
      : `It was still ${last.status ?? 'down'} at ${momentWords(last.at, timeZone)}`
  return { downtimeMs: null, downtimeWords: `${began}. ${words}.` }
}

function isDown(power: number | null): boolean {
  return power !== null && power !== RUNNING && power !== PAUSED
}

function placeOf(host: Json | undefined, status: Json | undefined, power: Json | undefined): InstancePlace {
  return { host: textOf(host), status: textOf(status), power: powerStateOf(typeof power === 'number' ? power : null) }
}

function placeSeen({ host, status, power }: InstanceLook): InstancePlace {
  return placeOf(host, status, power)
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

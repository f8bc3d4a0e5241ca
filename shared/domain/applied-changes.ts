import { WATCHER_DISABLED_REASON } from './disabled-reason.ts'
import { type AwayInstance, awayFrom, notedHost } from './home.ts'
import { isNodePlan } from './plan.ts'
import type { RunFact, RunView } from './run.ts'
import {
  COMPUTE_DISABLE_REQUESTED,
  COMPUTE_ENABLE_REQUESTED,
  CORDON_REQUESTED,
  factNumber,
  factText,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  instanceIdOf,
  MASAKARI_CLEAR_REQUESTED,
  MASAKARI_SET_REQUESTED,
  MICROCEPH_EXIT_REQUESTED,
  NOOUT_NOTED,
  NOOUT_SET_REQUESTED,
  NOOUT_UNSET_REQUESTED,
  OSDS_START_REQUESTED,
  OSDS_STOP_REQUESTED,
  POD_LEFT,
  REQUEST_CREATED,
  REQUEST_REMOVED,
  STOP_REQUESTED,
  UNCORDON_REQUESTED,
  WATCHER_ACTION,
} from './run-facts.ts'
import { factsInOrder, type NamedInstance } from './run-history.ts'

/** What a run changed on its node and did not undo, by its facts. A request counts, because it may have succeeded. */
export interface AppliedChanges {
  readonly cordoned: boolean
  /** The reason that the run wrote; null if it did not disable nova-compute. */
  readonly disabledFor: string | null
  readonly onMaintenance: boolean
  readonly requested: boolean
  readonly noout: boolean
  readonly osds: readonly number[]
  readonly away: readonly AwayInstance[]
  readonly stopped: readonly NamedInstance[]
  /** Evicted from the node; their controllers created them again on other nodes. */
  readonly podsGone: number
}

/** In order. In a run over many nodes, only the node's own lane counts. */
export function appliedChangesOf(node: string, { plan, steps }: Pick<RunView, 'plan' | 'steps'>): AppliedChanges {
  const own = steps.filter(({ step }) => isNodePlan(plan) || step.lane?.name === node)
  const facts = factsInOrder(own)
  const factsByDriver = [{ byControllers: plan.flavour === 'mosk', facts }]
  const last = (...names: readonly string[]) => facts.findLast(({ fact }) => names.includes(fact))
  const disabled = last(COMPUTE_DISABLE_REQUESTED, COMPUTE_ENABLE_REQUESTED)
  const osds = last(OSDS_STOP_REQUESTED, OSDS_START_REQUESTED, MICROCEPH_EXIT_REQUESTED)
  return {
    cordoned: last(CORDON_REQUESTED, UNCORDON_REQUESTED)?.fact === CORDON_REQUESTED,
    disabledFor:
      disabled?.fact === COMPUTE_DISABLE_REQUESTED
        ? factText(disabled, 'reason')
        : disabled === undefined && facts.some(isDisabledByWatcher)
          ? WATCHER_DISABLED_REASON
          : null,
    onMaintenance: last(MASAKARI_SET_REQUESTED, MASAKARI_CLEAR_REQUESTED)?.fact === MASAKARI_SET_REQUESTED,
    requested: last(REQUEST_CREATED, REQUEST_REMOVED)?.fact === REQUEST_CREATED,
    noout: setsNoout(last(NOOUT_SET_REQUESTED, NOOUT_UNSET_REQUESTED, NOOUT_NOTED, MICROCEPH_EXIT_REQUESTED)),
    osds: osds?.fact === OSDS_STOP_REQUESTED ? numbersIn(osds.values.osds) : [],
    away: awayFrom(notedHost(node, factsByDriver) ?? node, factsByDriver),
    stopped: stoppedIn(facts),
    podsGone: facts.filter(({ fact }) => fact === POD_LEFT).length,
  }
}

export function didNothing(effects: AppliedChanges): boolean {
  const { cordoned, disabledFor, onMaintenance, requested, noout, osds, away, stopped } = effects
  if (cordoned || disabledFor !== null || onMaintenance || requested || noout) return false
  return [osds, away, stopped].every(list => list.length === 0)
}

/** In a run over many nodes, a node back in service is complete even without its instances. */
export function isLeftChanged(node: string, view: Pick<RunView, 'plan' | 'steps'>): boolean {
  const effects = appliedChangesOf(node, view)
  return !didNothing(isNodePlan(view.plan) ? effects : { ...effects, away: [], stopped: [] })
}

function setsNoout(last: RunFact | undefined): boolean {
  return last?.fact === NOOUT_SET_REQUESTED || (last?.fact === NOOUT_NOTED && last.values.needed === true)
}

function isDisabledByWatcher({ fact, values }: RunFact): boolean {
  return fact === WATCHER_ACTION && values.type === 'disable-service' && values.state === 'SUCCEEDED'
}

function stoppedIn(facts: readonly RunFact[]): readonly NamedInstance[] {
  const stopped = new Map<string, NamedInstance>()
  for (const fact of facts) {
    const id = instanceIdOf(fact.subject)
    const isStop =
      fact.fact === STOP_REQUESTED ||
      fact.fact === INSTANCE_STOPPED ||
      (fact.fact === WATCHER_ACTION && fact.values.type === 'stop' && fact.values.state === 'SUCCEEDED')
    const powerActs = factNumber(fact, 'powerActs')
    if (isStop) {
      stopped.set(id, { id, name: factText(fact, 'name') ?? id, ...(powerActs === null ? {} : { powerActs }) })
    }
    if (fact.fact === INSTANCE_STARTED) stopped.delete(id)
  }
  return [...stopped.values()]
}

function numbersIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'number') : []
}

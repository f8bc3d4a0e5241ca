import { randomUUID } from 'node:crypto'
import type { ActionTools } from './watcher-actions.ts'
import { applyPlan, setState } from './watcher-applier.ts'
import { hasFigures } from './watcher-goals.ts'
import { buildModel, type Model } from './watcher-model.ts'
import type { Action, ActionPlan, Audit, WatcherRecords } from './watcher-records.ts'
import { hostMaintenance, type Wanted, workloadStabilization } from './watcher-strategies.ts'
import { sleepUnlessStopped } from './world.ts'

/** A plan that is not started becomes outdated after this time (conf/decision_engine.py). */
const PLAN_LIFE_MS = 24 * 3_600_000

/** The decision engine and the applier behind Watcher's API. */
export interface WatcherEngine {
  readonly audit: (audit: Audit) => void
  readonly launch: (plan: ActionPlan) => void
  readonly expire: () => void
  /** Reads the cloud now, as the collector does every period. */
  readonly rebuildModel: () => void
}

/** Starts the engine; it rebuilds its model every `timings.watcherModelMs` until the simulator stops. */
export function createWatcherEngine(
  tools: ActionTools & {
    readonly records: WatcherRecords
    readonly oldPlanState: boolean
    readonly answersNova: boolean
  },
): WatcherEngine {
  const { world, records, faults } = tools
  const now = () => world.cloud.clock.now()
  let model: Model = buildModel(world.cloud)
  const rebuildModel = () => {
    model = buildModel(world.cloud)
  }
  const keepModel = async () => {
    while (await sleepUnlessStopped(world, world.timings.watcherModelMs)) rebuildModel()
  }
  world.spawn(keepModel())

  const answer = async (audit: Audit): Promise<void> => {
    if (!(await sleepUnlessStopped(world, world.timings.watcherStepMs))) return
    setState(audit, 'ONGOING', now())
    while (faults.audits === 'hang') {
      if (!(await sleepUnlessStopped(world, world.timings.watcherStepMs))) return
    }
    if (!audit.force && records.plans.some(plan => plan.state === 'ONGOING')) {
      setState(audit, 'CANCELLED', now())
      return
    }
    if (tools.answersNova) rebuildModel()
    const wanted = faults.audits === 'fail' ? null : solve(model, audit)
    if (wanted === null) {
      audit.statusMessage = 'The strategy could not be executed'
      setState(audit, 'FAILED', now())
      return
    }
    const actions = planActions(wanted, now())
    records.plans.push({
      uuid: randomUUID(),
      audit,
      actions,
      createdAt: now(),
      state: actions.length === 0 ? 'SUCCEEDED' : 'RECOMMENDED',
      updatedAt: null,
      statusMessage: null,
    })
    setState(audit, 'SUCCEEDED', now())
  }

  return {
    audit: audit => world.spawn(answer(audit)),
    launch: plan => world.spawn(applyPlan(tools, plan)),
    expire: () => {
      const oldest = now() - PLAN_LIFE_MS
      for (const plan of records.plans) {
        if (plan.state === 'RECOMMENDED' && plan.createdAt < oldest) setState(plan, 'SUPERSEDED', now())
      }
    },
    rebuildModel,
  }
}

/** Null fails the audit: a node outside the model, or a missing or invalid parameter. */
function solve(model: Model, { strategy, parameters }: Audit): readonly Wanted[] | null {
  // Without metrics a real audit succeeds with an empty plan, and only the log has the reason.
  if (strategy.name === 'workload_stabilization') return hasFigures(strategy) ? workloadStabilization(model) : []
  const fitting = ['disable_live_migration', 'disable_cold_migration'].every(
    name => parameters[name] === undefined || typeof parameters[name] === 'boolean',
  )
  return fitting && strategy.required.every(name => typeof parameters[name] === 'string')
    ? hostMaintenance(model, parameters)
    : null
}

/** Action types by descending weight, with how many run in parallel (Watcher planner/weight.py). */
const KINDS: readonly { readonly type: Action['type']; readonly parallel: number }[] = [
  { type: 'change_nova_service_state', parallel: 1 },
  { type: 'stop', parallel: 2 },
  { type: 'migrate', parallel: 2 },
]

/** Orders actions by weight into groups; each group waits for the whole previous one. */
function planActions(wanted: readonly Wanted[], now: number): readonly Action[] {
  const actions: Action[] = []
  let parents: readonly string[] = []
  for (const { type, parallel } of KINDS) {
    const ofKind = wanted.filter(each => each.type === type)
    for (let at = 0; at < ofKind.length; at += parallel) {
      const group = ofKind.slice(at, at + parallel).map(
        ({ input }): Action => ({
          uuid: randomUUID(),
          type,
          input,
          parents,
          createdAt: now,
          state: 'PENDING',
          updatedAt: null,
          statusMessage: null,
        }),
      )
      actions.push(...group)
      parents = group.map(each => each.uuid)
    }
  }
  return actions
}

import { z } from 'zod'
import { AwayInstance } from '../../shared/domain/home.ts'
import type { Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { NamedInstance } from '../../shared/domain/run-history.ts'
import { WatcherStepInput } from '../../shared/domain/watcher-input.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { readCluster } from '../platform/reading/cluster-reading.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { makePlan } from '../procedures/plans/node/make-plan.ts'
import { bringHome } from '../procedures/steps/compute/bring-home.ts'
import { instancesReturn } from '../procedures/steps/compute/instances-return.ts'
import { requestClusterMaintenance } from '../procedures/steps/requests/request-cluster-maintenance.ts'
import { runWatcherPlan } from '../procedures/steps/watcher/run-watcher-plan.ts'
import type { MaintenanceRecommendation } from '../procedures/steps/watcher/watcher-recommendation.ts'
import { makeUpdatePlan } from '../windows/update-plan.ts'
import { openCloud } from '../windows/window-services.ts'
import type { ControlServices } from './control-services.ts'
import { findUndoable, planUndo } from './undo.ts'

/** Makes an imported plan again for the current cloud. It takes over what only the other console's journal knows; an undo uses this journal. */
export function createPlanRemaker(
  services: Pick<ControlServices, 'clock' | 'newId' | 'runs' | 'worlds'>,
): (plan: Plan) => Promise<Result<Plan>> {
  return async plan => {
    const opened = await openCloud(plan.cluster, services.worlds)
    return opened.ok ? remake(plan, readCluster(opened.value, services.clock).world, services) : opened
  }
}

async function remake(
  plan: Plan,
  world: MaintenanceWorld,
  services: Pick<ControlServices, 'clock' | 'newId' | 'runs'>,
): Promise<Result<Plan>> {
  const { id, madeAt, options } = plan
  switch (plan.kind) {
    case 'update':
    case 'rolling-maintenance':
    case 'take-out':
      return makeUpdatePlan({ id, madeAt, options, update: () => plan.update, operator: operatorIn(plan) }, world)
    case 'undo': {
      const found = findUndoable(plan.undoes, plan.node, services.runs)
      return found.ok ? planUndo(found.value, options, world, services) : found
    }
    default: {
      const away = inputOf(plan, bringHome.kind, 'away', z.array(AwayInstance))
      return makePlan({ id, madeAt, options, kind: plan.kind, node: plan.node }, world, {
        ran: inputOf(plan, instancesReturn.kind, 'ran', z.array(NamedInstance)),
        ...(away === null ? {} : { away }),
        recommended: recommendedIn(plan),
      })
    }
  }
}

function operatorIn(plan: Plan): string {
  return inputOf(plan, requestClusterMaintenance.kind, 'operator', z.string()) ?? ''
}

/** An input of a plan's step; null if there is no such step, or another type. */
function inputOf<T>({ steps }: Plan, kind: string, name: string, schema: z.ZodType<T>): T | null {
  const read = schema.safeParse(steps.find(step => step.kind === kind)?.input[name])
  return read.success ? read.data : null
}

/** Watcher's recommendation in the step, which compares it with Watcher's plan before it starts. */
function recommendedIn({ steps, cluster }: Plan): Result<MaintenanceRecommendation> {
  const read = WatcherStepInput.safeParse(steps.find(({ kind }) => kind === runWatcherPlan.kind)?.input)
  if (!read.success) {
    return failed(refusal('conflict', because('NoRecommendationInPlan'), { target: `cluster/${cluster}` }))
  }
  const { planUuid, auditUuid, actions } = read.data
  const shown = actions.map(action => ({
    ...action,
    state: 'PENDING' as const,
    type: action.kind,
    parents: [],
    statusMessage: null,
  }))
  return ok({
    plan: { uuid: planUuid, auditUuid, state: 'RECOMMENDED', createdAt: null, actions: shown },
    cancelled: [],
    warnings: [],
  })
}

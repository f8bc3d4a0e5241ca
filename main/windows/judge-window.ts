import { ok, type Result } from '../../shared/domain/result.ts'
import type { WindowPlan } from '../../shared/domain/window.ts'
import { nodesOfPlan } from '../../shared/domain/window-draft.ts'
import { type PlanBlock, planBlocks, type WindowJudgement } from '../../shared/domain/window-judgement.ts'
import { isoNow } from '../platform/clock/clock.ts'
import type { EstimateMaker } from './estimate-maker.ts'
import { type PlannedWindow, planWindow } from './window-plan.ts'
import type { WindowServices } from './window-services.ts'

type Services = Pick<WindowServices, 'clock' | 'clusters' | 'newId' | 'plans' | 'runs' | 'worlds'>

/** What blocks the plan of a window now. Only reads; the plan cannot be confirmed, because nobody saw it. */
export async function blocksOfPlan(
  cluster: string,
  plan: WindowPlan,
  services: Services,
): Promise<Result<readonly PlanBlock[]>> {
  const window: PlannedWindow = { id: '', title: '', ticket: '', cluster, plan }
  const made = await planWindow(window, {}, services)
  if (!made.ok) return made
  await services.plans.discard(made.value.plan.id)
  return ok(planBlocks(made.value))
}

/** Judges the plan of a window by the checks of its plan and the measured times. */
export async function judgeWindow(
  cluster: string,
  plan: WindowPlan,
  services: Services & { readonly estimate: EstimateMaker },
): Promise<Result<WindowJudgement>> {
  const judgement = {
    judgedAt: isoNow(services.clock),
    nodes: nodesOfPlan(plan).length,
    left: plan.kind === 'batches' ? (plan.left?.length ?? 0) : 0,
  }
  if (plan.kind === 'open') return ok({ ...judgement, blocks: [], span: null })
  const [blocks, made] = await Promise.all([blocksOfPlan(cluster, plan, services), services.estimate(cluster, plan)])
  if (!blocks.ok) return blocks
  if (!made.ok) return made
  return ok({ ...judgement, blocks: [...blocks.value], span: made.value.own.total })
}

import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import {
  COMPUTE_DISABLE_REQUESTED,
  CORDON_REQUESTED,
  REQUEST_CREATED,
  WATCHER_PLAN_STARTED,
} from '../../../../shared/domain/run-facts.ts'
import { found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { type MaintenanceSign, signWords } from '../../../../shared/words/steps/away-nodes.ts'
import { cannotAsk, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { computeServiceOf } from '../compute/compute-host.ts'
import { maintenanceSigns } from './other-maintenances.ts'

/** The node is already out of service: the plan does only what is missing, and warns that someone may work on it (seed 004). */
export const alreadyOutOfService = checkStep({
  kind: 'already-out-of-service',
  role: 'general',
  ...stepText('already-out-of-service'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const [node, services] = await Promise.all([
      ctx.world.kubernetes.getNode(name, ctx.signal),
      ctx.world.openstack?.computeServices(ctx.signal) ?? null,
    ])
    if (!node.ok) return cannotAsk(thing('Node', { node: name }), node.failure)
    const service = services?.ok ? computeServiceOf(node.value, services.value) : null
    const signs = maintenanceSigns(node.value, service)
    const others = signsOfOthers(node.value, service, ctx)
    const read = evidence(`node/${name}`, ctx.at(), { signs: signs.map(signWords) })
    const unread =
      services?.ok === false ? [found('ComputeDisabledNotKnown', { node: name, cause: services.failure.message })] : []
    if (others.length > 0) {
      return ready(found('IsOutOfService', { node: name }), {
        evidence: [read],
        warnings: [found('OnlyMissingIsDone', { node: name, signs: others }), ...unread],
      })
    }
    const status =
      signs.length > 0
        ? found('OutByThisRun', { node: name, signs })
        : found(unread.length > 0 ? 'NotCordoned' : 'InService', { node: name })
    return ready(status, { evidence: [read], warnings: unread })
  },
})

/** Without what this run itself requested before a console left it. */
function signsOfOthers(
  node: ClusterNode,
  service: ComputeService | null,
  ctx: MaintenanceContext,
): readonly MaintenanceSign[] {
  const did = (fact: string, about: string | null) =>
    ctx.runHistory().some(each => each.fact === fact && (about === null || each.subject === about))
  const isOwnCordon = did(CORDON_REQUESTED, `node/${node.name}`)
  // The controller or Watcher plan that this run started also disables nova-compute.
  const isOwnDisable =
    did(COMPUTE_DISABLE_REQUESTED, `nova-compute/${service?.host}`) ||
    did(REQUEST_CREATED, `node/${node.name}`) ||
    did(WATCHER_PLAN_STARTED, null)
  return maintenanceSigns({ ...node, unschedulable: node.unschedulable && !isOwnCordon }, isOwnDisable ? null : service)
}

import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import {
  COMPUTE_DISABLE_REQUESTED,
  CORDON_REQUESTED,
  REQUEST_CREATED,
  WATCHER_PLAN_STARTED,
} from '../../../../shared/domain/run-facts.ts'
import { cannotAsk, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { computeServiceOf } from '../compute/compute-host.ts'
import { maintenanceSigns } from './other-maintenances.ts'

/**
 * Whether the node is out of service already: then the plan does only what is missing, and whoever took it out may be at work on it (seed 004: a node
 * is in maintenance while it passes all checks, whoever made it so). Not forbidden: a node may be cordoned by hand before it is entered.
 */
export const alreadyOutOfService = checkStep({
  kind: 'already-out-of-service',
  role: 'general',
  why: 'A node that somebody took out of service may have somebody at work on it.',
  title: input => `${nodeOf(input)} is still in service`,
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const [node, services] = await Promise.all([
      ctx.world.kubernetes.getNode(name, ctx.signal),
      ctx.world.openstack?.computeServices(ctx.signal) ?? null,
    ])
    if (!node.ok) return cannotAsk(`Node ${name}`, node.failure)
    const service = services?.ok ? computeServiceOf(node.value, services.value) : null
    const signs = maintenanceSigns(node.value, service)
    const others = signsOfOthers(node.value, service, ctx)
    const read = evidence(`node/${name}`, ctx.at(), { signs: [...signs] })
    const unread =
      services?.ok === false
        ? [`Whether nova-compute of ${name} is disabled for a maintenance is not known: ${services.failure.message}`]
        : []
    if (others.length > 0) {
      return ready(`${name} is out of service already.`, {
        evidence: [read],
        warnings: [
          `${name} is out of service already (${others.join('; ')}): this plan does only what is missing. Make sure that nobody is at work on it.`,
          ...unread,
        ],
      })
    }
    const reason =
      signs.length > 0
        ? `${name} is out of service by this run itself (${signs.join('; ')}).`
        : unread.length > 0
          ? `${name} is not cordoned.`
          : `${name} is in service.`
    return ready(reason, { evidence: [read], warnings: unread })
  },
})

/** The signs but for those that this very run asked for before it was left: these are its own doing. */
function signsOfOthers(node: ClusterNode, service: ComputeService | null, ctx: MaintenanceContext): readonly string[] {
  const did = (fact: string, about: string | null) =>
    ctx.runHistory().some(each => each.fact === fact && (about === null || each.subject === about))
  const isOwnCordon = did(CORDON_REQUESTED, `node/${node.name}`)
  // Who answers the run's request disables nova-compute, and so does the plan of Watcher that it started.
  const isOwnDisable =
    did(COMPUTE_DISABLE_REQUESTED, `nova-compute/${service?.host}`) ||
    did(REQUEST_CREATED, `node/${node.name}`) ||
    did(WATCHER_PLAN_STARTED, null)
  return maintenanceSigns({ ...node, unschedulable: node.unschedulable && !isOwnCordon }, isOwnDisable ? null : service)
}

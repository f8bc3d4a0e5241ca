import type { Step } from '../../engine/step.ts'
import { cannotAsk, evidence, ready } from '../answers.ts'
import { computeServiceOf } from '../compute-host.ts'
import { nodeOf } from '../node-input.ts'
import { maintenanceSigns } from '../other-maintenances.ts'
import type { MaintenanceWorld } from '../ports.ts'

/**
 * Whether the node is out of service already: then the plan does only what is missing, and whoever took it out may be at work on it (seed 004: a node
 * is in maintenance while it passes all checks, whoever made it so). Not forbidden: a node may be cordoned by hand before it is entered.
 */
export const alreadyOutOfService: Step<MaintenanceWorld> = {
  kind: 'already-out-of-service',
  role: 'general',
  risk: 'none',
  why: 'A node that somebody took out of service may have somebody at work on it.',
  title: input => `${nodeOf(input)} is in service until now`,
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const [node, services] = await Promise.all([
      ctx.world.kubernetes.getNode(name, ctx.signal),
      ctx.world.openstack?.computeServices(ctx.signal) ?? null,
    ])
    if (!node.ok) return cannotAsk(`Node ${name}`, node.failure)
    const service = services?.ok ? computeServiceOf(node.value, services.value) : null
    // What this run did before it was left is its own doing.
    const signs = ctx.resumed ? [] : maintenanceSigns(node.value, service)
    const read = evidence(`node/${name}`, ctx.at(), { signs: [...signs] })
    return signs.length === 0
      ? ready(`${name} is in service.`, { evidence: [read] })
      : ready(`${name} is out of service already.`, {
          evidence: [read],
          warnings: [
            `${name} is out of service already (${signs.join('; ')}): this plan does only what is missing. Make sure that nobody is at work on it.`,
          ],
        })
  },
}

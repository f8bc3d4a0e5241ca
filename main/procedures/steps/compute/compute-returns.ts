import { counted } from '../../../../shared/grammar/counts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, evidence, fails, holds, ready } from '../../answers.ts'
import { cloudOf, nodeOf } from '../../node-input.ts'
import { computeServiceEvidence, readComputeService } from './compute-service.ts'
import { instanceFound } from './note-instances.ts'

/** nova-compute reports again and every Neutron agent of the host is alive, within the cluster's limit (300 s each by default, domain.md A.3). */
export const computeReturns: Step<MaintenanceWorld> = {
  kind: 'compute-returns',
  role: 'compute',
  risk: 'none',
  why: 'Instances may be scheduled onto a host only when its services and network work.',
  title: input => `nova-compute and network agents of ${nodeOf(input)} are up`,
  verifyEarly: true,
  withinMs: 300_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only waits.',
  check: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotAsk(`nova-compute of ${nodeOf(input)}`, service.failure)
    return ready(`nova-compute on ${service.value.host} is ${service.value.state}.`, {
      evidence: [computeServiceEvidence(service.value, ctx)],
    })
  },
  apply: async input => ({ kind: 'applied', note: `Waiting for nova-compute and network agents of ${nodeOf(input)}.` }),
  verify: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotVerify(`nova-compute of ${nodeOf(input)}`, service.failure)
    const agents = await cloudOf(ctx).networkAgents(service.value.host, ctx.signal)
    if (!agents.ok) return cannotVerify(`The network agents of ${service.value.host}`, agents.failure)
    const dead = agents.value.filter(agent => agent.adminStateUp && !agent.alive)
    const seen = [
      computeServiceEvidence(service.value, ctx),
      evidence(`network agents on ${service.value.host}`, ctx.at(), {
        agents: agents.value.map(agent => ({ type: agent.type, alive: agent.alive, heartbeatAt: agent.heartbeatAt })),
      }),
    ]
    if (service.value.state !== 'up') {
      return fails(
        `nova-compute on ${service.value.host} is down.`,
        'Look at its pod and log; the node can be left once it reports.',
        seen,
      )
    }
    if (dead.length > 0) {
      return fails(
        `Not alive on ${service.value.host}: ${dead.map(agent => agent.type).join(', ')}.`,
        'Look at the pods of these agents; the node can be left once they report.',
        seen,
      )
    }
    // The report tells how the instances are that were not moved away.
    const on = await cloudOf(ctx).instancesOnHost(service.value.host, ctx.signal)
    const found = on.ok ? on.value.items.map(instance => instanceFound(instance, ctx)) : []
    return holds(
      `nova-compute on ${service.value.host} is up and ${counted(agents.value.length, 'network agent')} alive.`,
      [...seen, ...found],
    )
  },
}

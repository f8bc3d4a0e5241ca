import { agentsState } from '../../../../shared/domain/agents-of-node.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { applied, cannotAsk, cannotVerify, evidence, fails, holds, readyUnless } from '../../answers.ts'
import { cloudOf, nodeOf } from '../../node-input.ts'
import { readAgentsOf } from './agent-records.ts'
import { otherRecordsOf } from './all-records.ts'
import { computeServiceEvidence, readServiceAmongOthers } from './compute-service.ts'
import { instanceFound } from './note-instances.ts'

/** nova-compute is up and the host's Neutron agents are alive, each within the cluster's limit (default 300 s, docs/domain.md A.3). */
export const computeReturns: Step<MaintenanceWorld> = {
  kind: 'compute-returns',
  role: 'compute',
  risk: 'none',
  ...stepText('compute-returns'),
  verifyEarly: true,
  withinMs: 300_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const read = await readServiceAmongOthers(nodeOf(input), ctx)
    if (!read.ok) return cannotAsk(thing('ComputeOfNode', { node: nodeOf(input) }), read.failure)
    const { service, node, services } = read.value
    const others = await otherRecordsOf(node, service, services, ctx)
    if (!others.ok) return cannotAsk(thing('NodeList'), others.failure)
    const { host, state } = service
    return readyUnless(others.value.blockers, found('ComputeServiceState', { host, state }), {
      evidence: [computeServiceEvidence(service, ctx)],
      warnings: others.value.warnings,
    })
  },
  apply: async input => applied(found('WaitsForCompute', { node: nodeOf(input) })),
  verify: async (input, ctx) => {
    const among = await readServiceAmongOthers(nodeOf(input), ctx)
    if (!among.ok) return cannotVerify(thing('ComputeOfNode', { node: nodeOf(input) }), among.failure)
    const { service, node } = among.value
    const { host, state } = service
    const read = await readAgentsOf(node, host, ctx)
    if (!read.ok) return cannotVerify(thing('NetworkAgents', { node: host }), read.failure)
    const { agents, dead } = agentsState(read.value)
    const seen = [
      computeServiceEvidence(service, ctx),
      evidence(`network agents on ${host}`, ctx.at(), {
        agents: agents.map(agent => ({ type: agent.type, alive: agent.alive, heartbeatAt: agent.heartbeatAt })),
      }),
    ]
    if (state !== 'up') return fails(fault('ComputeNotReturned', { host }), seen)
    if (dead.length > 0) {
      return fails(fault('AgentsNotReturned', { host, agents: dead.map(({ type }) => type) }), seen)
    }
    // The report shows the state of the instances that did not move.
    const on = await cloudOf(ctx).instancesOnHost(host, ctx.signal)
    const instances = on.ok ? on.value.items.map(instance => instanceFound(instance, ctx)) : []
    return holds(found('ComputeReturned', { host, agents: agents.length }), [...seen, ...instances])
  },
}

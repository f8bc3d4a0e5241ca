import { nodeMeant } from '../../../shared/domain/maintenance-api.ts'
import type { Blocker } from '../../../shared/domain/plan.ts'
import type { Step } from '../../engine/step.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../answers.ts'
import { computeServiceOf } from '../compute-host.ts'
import { hardLocks } from '../hard-locks.ts'
import { heldBackByLimits, limitedNode } from '../lock-limits.ts'
import { nodeOf } from '../node-input.ts'
import { readNodeMaintenance } from '../node-maintenance.ts'
import type { MaintenanceWorld } from '../ports.ts'

/** The OpenStack Controller will take the node now: limits per role, availability zone, quorum services (docs/domain.md A.2, A.4). */
export const lockLimitsAllow: Step<MaintenanceWorld> = {
  kind: 'lock-limits-allow',
  role: 'general',
  risk: 'none',
  why: 'A request beyond the limits is accepted and then waits; better to know before.',
  title: input => `The OpenStack Controller will take ${nodeOf(input)} now`,
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const { kubernetes, openstack, cluster } = ctx.world
    const [found, nodes, services, refusing] = await Promise.all([
      readNodeMaintenance(name, ctx),
      kubernetes.listNodes(ctx.signal),
      openstack?.computeServices(ctx.signal) ?? null,
      hardLocks(name, ctx.world, ctx.signal),
    ])
    if (!found.ok) return cannotAsk('The workload locks', found.failure)
    if (!nodes.ok) return cannotAsk('The list of nodes', nodes.failure)
    if (services !== null && !services.ok) return cannotAsk('The compute services', services.failure)
    if (!refusing.ok) return cannotAsk('The quorum services', refusing.failure)
    const limited = (node: (typeof nodes.value)[number]) =>
      limitedNode(node, cluster.roleLabels, computeServiceOf(node, services?.ok ? services.value : [])?.zone ?? null)
    const node = nodes.value.find(candidate => candidate.name === name)
    if (node === undefined)
      return cannotAsk(`Node ${name}`, { code: 'not-found', message: `There is no node ${name}.`, retryable: false })
    const begun = found.value.objects.nodeLocks
      .filter(lock => lock.controller === 'openstack' && (lock.state === 'inactive' || lock.innerState === 'active'))
      .map(lock => nodeMeant(lock.nodeName, found.value.names))
    const others = nodes.value
      .filter(candidate => candidate.name !== name && begun.includes(candidate.name))
      .map(limited)
    const held = heldBackByLimits(limited(node), others, cluster.maintenanceApi)
    const blockers: Blocker[] = [
      ...(held === null
        ? []
        : [
            {
              code: 'limits-hold-back',
              message: `The OpenStack Controller would let ${name} wait: ${held}.`,
              remedy: 'Bring the other node back first, or set other limits if your controller has others.',
              override: BY_FORCE,
            },
          ]),
      ...Object.entries(refusing.value).map(([service, why]) => ({
        code: 'hard-locked',
        message: `${name} is hard locked by ${service}: ${why}.`,
        remedy: 'Bring the other replicas to Ready first: without them this node keeps the quorum.',
        override: BY_FORCE,
      })),
    ]
    return readyUnless(
      blockers,
      others.length === 0
        ? 'No other node is in maintenance.'
        : `${others.map(other => other.name).join(', ')} in maintenance, within the limits.`,
      {
        evidence: [
          evidence('nodes begun by the OpenStack Controller', ctx.at(), {
            begun: others.map(other => ({ node: other.name, roles: [...other.roles], zone: other.zone })),
            limits: { ...cluster.maintenanceApi, controllers: { ...cluster.maintenanceApi.controllers } },
            hardLocks: { ...refusing.value },
          }),
        ],
      },
    )
  },
}

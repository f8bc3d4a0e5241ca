import { nodeMeant } from '../../../../shared/domain/maintenance-api.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { computeServiceOf, matchComputeService } from '../compute/compute-host.ts'
import { isMadeByUs } from './controller-life.ts'
import { hardLocks } from './hard-locks.ts'
import { begunNode, heldBackByLimits, limitedNode } from './lock-limits.ts'
import { readNodeMaintenance } from './node-maintenance.ts'

/**
 * The controllers will take the node now: the OpenStack Controller's limits per role, availability zone and quorum services, and the one
 * node at a time of Tungsten Fabric and of our StackLight controller (docs/domain.md A.1, A.2, A.4).
 */
export const lockLimitsAllow = checkStep({
  kind: 'lock-limits-allow',
  role: 'general',
  why: 'A request beyond the limits is accepted and then waits; better to know before.',
  title: input => `The application controllers will take ${nodeOf(input)} now`,
  withinMs: 30_000,
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
    const computes = services?.ok ? services.value : []
    const node = nodes.value.find(candidate => candidate.name === name)
    if (node === undefined)
      return cannotAsk(`Node ${name}`, { code: 'not-found', message: `There is no node ${name}.`, retryable: false })
    // By locks, also where the cluster lists no such node: the lock is what says that it is away.
    const begun = (controller: string) =>
      found.value.objects.nodeLocks
        .filter(lock => lock.controller === controller && (lock.state === 'inactive' || lock.innerState === 'active'))
        .map(lock => ({ name: nodeMeant(lock.nodeName, found.value.names) ?? lock.nodeName, lock }))
        .filter(other => other.name !== name)
    const others = begun('openstack').map(({ name: other, lock }) => {
      const labels = nodes.value.find(candidate => candidate.name === other)?.labels ?? null
      const names = [other, labels?.['kubernetes.io/hostname']]
      return begunNode(
        lock,
        { name: other, labels },
        cluster.roleLabels,
        matchComputeService(names, computes)?.zone ?? null,
      )
    })
    const itself = limitedNode(node, cluster.roleLabels, computeServiceOf(node, computes)?.zone ?? null)
    const held = heldBackByLimits(itself, others, cluster.maintenanceApi)
    const begunWith = (controller: string) =>
      found.value.locks.some(lock => lock.controller === controller) ? begun(controller) : []
    const fabric = begunWith('tungstenfabric')
    // One node at a time is the rule of our controller; what another one allows is not known.
    const stacklight = isMadeByUs('stacklight', found.value.objects) ? begunWith('stacklight') : []
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
      ...(fabric.length === 0
        ? []
        : [
            {
              code: 'fabric-holds-back',
              message: `Tungsten Fabric takes one node at a time, and ${fabric.map(other => other.name).join(', ')} is not back.`,
              remedy: 'Bring the other node back first.',
              override: BY_FORCE,
            },
          ]),
      ...(stacklight.length === 0
        ? []
        : [
            {
              code: 'stacklight-holds-back',
              message: `StackLight takes one node at a time, and ${stacklight.map(other => other.name).join(', ')} is not back.`,
              remedy: 'Bring the other node back first.',
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
})

import { nodeMeant } from '../../../../shared/domain/maintenance-api.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { hardLockText } from '../../../../shared/words/steps/requests-limits.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless, refusal } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { computeServiceOf, matchComputeService } from '../compute/compute-host.ts'
import { isMadeByUs } from './controller-life.ts'
import { hardLocks } from './hard-locks.ts'
import { begunNode, heldBackByLimits, limitedNode } from './lock-limits.ts'
import { readNodeMaintenance } from './node-maintenance.ts'

/** The controllers accept the node now, by their limits for roles, zones and quorum services (docs/domain.md A.1, A.2, A.4). */
export const lockLimitsAllow = checkStep({
  kind: 'lock-limits-allow',
  role: 'general',
  ...stepText('lock-limits-allow'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const { kubernetes, openstack, cluster } = ctx.world
    const [seen, nodes, services, refusing] = await Promise.all([
      readNodeMaintenance(name, ctx),
      kubernetes.listNodes(ctx.signal),
      openstack?.computeServices(ctx.signal) ?? null,
      hardLocks(name, ctx.world, ctx.signal),
    ])
    if (!seen.ok) return cannotAsk(thing('WorkloadLocks'), seen.failure)
    if (!nodes.ok) return cannotAsk(thing('NodeList'), nodes.failure)
    if (services !== null && !services.ok) return cannotAsk(thing('ComputeServices'), services.failure)
    if (!refusing.ok) return cannotAsk(thing('QuorumServices'), refusing.failure)
    const computes = services?.ok ? services.value : []
    const node = nodes.value.find(candidate => candidate.name === name)
    if (node === undefined)
      return cannotAsk(thing('Node', { node: name }), refusal('not-found', fault('NoSuchNode', { node: name })))
    // By locks, even if the cluster lists no such node: the lock shows that it is out of service.
    const begun = (controller: string) =>
      seen.value.objects.nodeLocks
        .filter(lock => lock.controller === controller && (lock.state === 'inactive' || lock.innerState === 'active'))
        .map(lock => ({ name: nodeMeant(lock.nodeName, seen.value.names) ?? lock.nodeName, lock }))
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
      seen.value.locks.some(lock => lock.controller === controller) ? begun(controller) : []
    const fabric = begunWith('tungstenfabric')
    // One node at a time is our own controller's rule; another's is unknown.
    const stacklight = isMadeByUs('stacklight', seen.value.objects) ? begunWith('stacklight') : []
    const namesOf = (nodes: readonly { readonly name: string }[]) => nodes.map(other => other.name)
    const blockers: Blocker[] = [
      ...(held === null ? [] : [blocker(fault('LimitsHoldBack', { node: name, held }), BY_FORCE)]),
      ...(fabric.length === 0 ? [] : [blocker(fault('FabricHoldsBack', { nodes: namesOf(fabric) }), BY_FORCE)]),
      ...(stacklight.length === 0
        ? []
        : [blocker(fault('StackLightHoldsBack', { nodes: namesOf(stacklight) }), BY_FORCE)]),
      ...Object.entries(refusing.value).map(([service, lock]) =>
        blocker(fault('HardLocked', { node: name, service, lock }), BY_FORCE),
      ),
    ]
    return readyUnless(
      blockers,
      others.length === 0 ? found('NoOtherNodeAway') : found('OthersWithinLimits', { nodes: namesOf(others) }),
      {
        evidence: [
          evidence('nodes begun by the OpenStack Controller', ctx.at(), {
            begun: others.map(other => ({ node: other.name, roles: [...other.roles], zone: other.zone })),
            limits: { ...cluster.maintenanceApi, controllers: { ...cluster.maintenanceApi.controllers } },
            hardLocks: Object.fromEntries(
              Object.entries(refusing.value).map(([service, lock]) => [service, hardLockText(lock)]),
            ),
          }),
        ],
      },
    )
  },
})

import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { MaintenanceObjects } from '../../../../shared/domain/maintenance-api.ts'
import { runOf } from '../../../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { type Finding, itemsOf } from '../../../../shared/words/steps/coded.ts'
import type { ClusterFault } from '../../../../shared/words/steps/rolling.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { cannotTell, cannotVerify, evidence, fails, holds } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'
import { missingClusterLocks } from '../requests/cluster-locks.ts'

/** All nodes are Ready and schedulable, all locks active, and no request is left (seed 003, phase 5). */
export const wholeClusterVerified: Step<MaintenanceWorld> = {
  kind: 'whole-cluster-verified',
  role: 'general',
  risk: 'none',
  ...stepText('whole-cluster-verified'),
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  apply: (input, ctx) =>
    awaitChange(
      {
        subject: 'cluster',
        look: async () => {
          const seen = await look(ctx)
          if (!seen.ok) return seen
          const unreported = unreportedOf(seen.value, ctx)
          if (unreported !== null) return ok({ kind: 'waits', what: unreported })
          const faults = faultsOf(seen.value)
          return ok(
            faults.length === 0
              ? { kind: 'so', note: found('ClusterInService', inService(seen.value, input)) }
              : { kind: 'waits', what: found('ClusterHasFaults', { faults: itemsOf(faults) }) },
          )
        },
        quiet: quiet => fault('ClusterStaysFaulty', quiet),
        choices: ['retry', 'skip', 'abort'],
      },
      ctx,
    ),
  verify: async (input, ctx) => {
    const seen = await look(ctx)
    if (!seen.ok) return cannotVerify(thing('TheCluster'), seen.failure)
    const faults = faultsOf(seen.value)
    const { nodes, objects } = seen.value
    const read = evidence(`cluster/${ctx.world.cluster.name}`, ctx.at(), {
      nodes: nodes.map(({ name, readiness, unschedulable, bootId, kubeletVersion, osImage }) => ({
        name,
        readiness,
        unschedulable,
        bootId,
        kubeletVersion,
        osImage,
      })),
      locks: objects.clusterLocks.length + objects.nodeLocks.length,
    })
    const unreported = unreportedOf(seen.value, ctx)
    if (unreported !== null && faults.length === 0)
      return cannotTell(fault('ClusterLocksUntold', { missing: unreported }), [read])
    return faults.length === 0
      ? holds(found('ClusterIsOperable', inService(seen.value, input)), [read])
      : fails(fault('ClusterNotOperable', { faults: itemsOf(faults) }), [read])
  },
}

function inService({ nodes }: Seen, { updated }: StepInput) {
  return { nodes: nodes.length, updated: typeof updated === 'number' ? updated : null }
}

interface Seen {
  readonly nodes: readonly ClusterNode[]
  readonly objects: MaintenanceObjects
}

async function look({ world, signal }: MaintenanceContext): Promise<Result<Seen>> {
  const [nodes, objects] = await Promise.all([world.kubernetes.listNodes(signal), world.maintenanceApi.objects(signal)])
  if (!nodes.ok) return nodes
  return objects.ok ? ok({ nodes: nodes.value, objects: objects.value }) : objects
}

/** What the lists lack; null if they cover the whole cluster. */
function unreportedOf({ nodes, objects }: Seen, ctx: MaintenanceContext): Finding | null {
  if (nodes.length === 0) return found('NodeListEmpty')
  const answering = Object.values(ctx.world.cluster.maintenanceApi.controllers).some(by => by !== 'none')
  if (answering && objects.nodeLocks.length === 0) return found('NodeLocksNowhere')
  return missingClusterLocks(objects, ctx)
}

function faultsOf({ nodes, objects }: Seen): readonly ClusterFault[] {
  const own = [...objects.clusterRequests, ...objects.nodeRequests].filter(request => runOf(request) !== null)
  return [
    ...nodes.flatMap(({ name, readiness }) =>
      readiness === 'ready' ? [] : [{ node: name, is: 'not-ready' } as const],
    ),
    ...nodes.flatMap(({ name, unschedulable }) => (unschedulable ? [{ node: name, is: 'cordoned' } as const] : [])),
    ...[...objects.clusterLocks, ...objects.nodeLocks]
      .filter(({ state }) => state !== 'active')
      .map(({ name, state }) => ({ lock: name, state })),
    ...own.map(({ name }) => ({ request: name })),
  ]
}

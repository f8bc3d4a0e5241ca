import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { MaintenanceObjects } from '../../../../shared/domain/maintenance-api.ts'
import { runOf } from '../../../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { cannotTell, cannotVerify, evidence, fails, holds } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'
import { MISSING_REMEDY, missingClusterLocks } from '../requests/cluster-locks.ts'

/** The cluster is fully operable again: every node Ready and schedulable, every lock active, no request left (seed 003, phase 5). */
export const wholeClusterVerified: Step<MaintenanceWorld> = {
  kind: 'whole-cluster-verified',
  role: 'general',
  risk: 'none',
  why: 'After a while the update completes and the cluster is fully operable again; that is looked at, not assumed.',
  title: () => 'The whole cluster is operable again',
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  apply: (input, ctx) =>
    awaitChange(
      {
        subject: 'cluster',
        look: async () => {
          const found = await look(ctx)
          if (!found.ok) return found
          const untold = untoldOf(found.value, ctx)
          const open = untold === null ? faultsOf(found.value) : [untold]
          return ok(
            open.length === 0
              ? { kind: 'so', note: inServiceWords(found.value.nodes, input) }
              : { kind: 'waits', what: someOf(open) },
          )
        },
        remedy: 'Mend it and retry. Skip if it is meant to be so.',
        choices: ['retry', 'skip', 'abort'],
      },
      ctx,
    ),
  verify: async (input, ctx) => {
    const found = await look(ctx)
    if (!found.ok) return cannotVerify('The cluster', found.failure)
    const open = faultsOf(found.value)
    const { nodes, objects } = found.value
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
    const untold = untoldOf(found.value, ctx)
    if (untold !== null && open.length === 0) return cannotTell(untold, MISSING_REMEDY, [read])
    return open.length === 0
      ? holds(`${inServiceWords(nodes, input)} Every lock is active.`, [read])
      : fails(`${someOf(open)}.`, 'Mend it, then resume the run.', [read])
  },
}

/** Two things are told apart, what was updated and what is in service: an update of some nodes only looks at the others. */
function inServiceWords(nodes: readonly ClusterNode[], { updated }: StepInput): string {
  const done = typeof updated === 'number' ? updated : null
  const rest = done === null ? 0 : nodes.length - done
  const all = `All ${nodes.length} nodes of the cluster are in service`
  if (done === null) return `${all}.`
  return rest <= 0
    ? `${all}; every one was in this update.`
    : `${all}: ${done} ${done === 1 ? 'was' : 'were'} in this update, ${rest} ${rest === 1 ? 'was' : 'were'} not.`
}

interface Found {
  readonly nodes: readonly ClusterNode[]
  readonly objects: MaintenanceObjects
}

async function look({ world, signal }: MaintenanceContext): Promise<Result<Found>> {
  const [nodes, objects] = await Promise.all([world.kubernetes.listNodes(signal), world.maintenanceApi.objects(signal)])
  if (!nodes.ok) return nodes
  return objects.ok ? ok({ nodes: nodes.value, objects: objects.value }) : objects
}

/** Why these lists do not tell of the whole cluster, in a sentence; null: they do. */
function untoldOf({ nodes, objects }: Found, ctx: MaintenanceContext): string | null {
  if (nodes.length === 0) return 'The list of nodes is empty, as that of no cluster is.'
  const answering = Object.values(ctx.world.cluster.maintenanceApi.controllers).some(by => by !== 'none')
  if (answering && objects.nodeLocks.length === 0)
    return 'No node has a workload lock, though controllers are set to answer.'
  return missingClusterLocks(objects, ctx)
}

function faultsOf({ nodes, objects }: Found): readonly string[] {
  const own = [...objects.clusterRequests, ...objects.nodeRequests].filter(request => runOf(request) !== null)
  return [
    ...nodes.filter(({ readiness }) => readiness !== 'ready').map(({ name }) => `${name} is not Ready`),
    ...nodes.filter(({ unschedulable }) => unschedulable).map(({ name }) => `${name} is cordoned`),
    ...[...objects.clusterLocks, ...objects.nodeLocks]
      .filter(({ state }) => state !== 'active')
      .map(({ name, state }) => `lock ${name} is ${state}`),
    ...own.map(({ name }) => `request ${name} is still there`),
  ]
}

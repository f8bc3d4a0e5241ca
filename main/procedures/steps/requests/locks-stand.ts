import { ControllerName, runOf } from '../../../../shared/domain/maintenance-api.ts'
import { CLUSTER_REQUEST_CREATED } from '../../../../shared/domain/run-facts.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { itemsOf } from '../../../../shared/words/steps/coded.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { countedClusterLocks } from './cluster-locks.ts'

/** All locks of the cluster and its nodes are active before an update (seed 003: "We assume that ..."). */
export const locksStand = checkStep({
  kind: 'locks-stand',
  role: 'general',
  ...stepText('locks-stand'),
  withinMs: 30_000,
  check: async (_input, ctx) => {
    const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!objects.ok) return cannotAsk(thing('WorkloadLocks'), objects.failure)
    const { clusterLocks, nodeLocks } = objects.value
    const all = [...clusterLocks, ...nodeLocks]
    const read = evidence('workload locks', ctx.at(), {
      clusterLocks: clusterLocks.map(({ name, controller, state }) => ({ name, controller, state })),
      nodeLocks: nodeLocks.length,
      notActive: all.filter(({ state }) => state !== 'active').map(({ name, state }) => `${name}: ${state}`),
    })
    const locks = countedClusterLocks(clusterLocks)
    // A running run has made locks inactive itself.
    if (ctx.runHistory().some(({ fact }) => fact === CLUSTER_REQUEST_CREATED)) {
      return readyUnless([], found('UpdateUnderWay'), { evidence: [read], counted: locks })
    }
    // This run takes over the request of an unfinished earlier update.
    const isTakenOver = objects.value.clusterRequests.some(request => runOf(request) !== null)
    const open = [...(isTakenOver ? [] : clusterLocks), ...nodeLocks].filter(({ state }) => state !== 'active')
    const choices = ctx.world.cluster.maintenanceApi.controllers
    const { name: cluster } = ctx.world.cluster
    const silent = ControllerName.options.flatMap(controller => {
      const by = choices[controller]
      return by === 'none' || clusterLocks.some(lock => lock.controller === controller) ? [] : [{ controller, by }]
    })
    const notActive = itemsOf(open.map(({ name, state }) => ({ name, state })))
    const blockers: Blocker[] = [
      ...(open.length === 0 ? [] : [blocker(fault('LocksNotActive', { locks: notActive }), BY_FORCE)]),
      ...silent.map(by => blocker(fault('NoClusterLock', { ...by, cluster }))),
    ]
    return readyUnless(blockers, found('AllLocksActive', { total: all.length }), { evidence: [read], counted: locks })
  },
})

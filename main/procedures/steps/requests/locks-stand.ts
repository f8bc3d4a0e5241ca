import { ControllerName, runOf } from '../../../../shared/domain/maintenance-api.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { CLUSTER_REQUEST_CREATED } from '../../../../shared/domain/run-facts.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { countedClusterLocks } from './cluster-locks.ts'

/** Before an update every lock of the cluster and of its nodes is active (seed 003: "We assume that ..."). */
export const locksStand = checkStep({
  kind: 'locks-stand',
  role: 'general',
  why: 'An update begins from a cluster on which every application works: its locks are active.',
  title: () => 'ClusterWorkloadLocks and NodeWorkloadLocks are active',
  withinMs: 30_000,
  check: async (_input, ctx) => {
    const found = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!found.ok) return cannotAsk('The workload locks', found.failure)
    const { clusterLocks, nodeLocks } = found.value
    const all = [...clusterLocks, ...nodeLocks]
    const read = evidence('workload locks', ctx.at(), {
      clusterLocks: clusterLocks.map(({ name, controller, state }) => ({ name, controller, state })),
      nodeLocks: nodeLocks.length,
      notActive: all.filter(({ state }) => state !== 'active').map(({ name, state }) => `${name}: ${state}`),
    })
    const locks = countedClusterLocks(clusterLocks)
    // A run that is under way has made locks inactive itself.
    if (ctx.runHistory().some(({ fact }) => fact === CLUSTER_REQUEST_CREATED)) {
      return readyUnless([], 'The update is under way.', { evidence: [read], counted: locks })
    }
    // Where an earlier update was ended half way, its request still holds the cluster's locks: this one takes it over.
    const isTakenOver = found.value.clusterRequests.some(request => runOf(request) !== null)
    const open = [...(isTakenOver ? [] : clusterLocks), ...nodeLocks].filter(({ state }) => state !== 'active')
    const choices = ctx.world.cluster.maintenanceApi.controllers
    const silent = ControllerName.options.filter(
      name => choices[name] !== 'none' && !clusterLocks.some(({ controller }) => controller === name),
    )
    const blockers: Blocker[] = [
      ...(open.length === 0
        ? []
        : [
            {
              code: 'locks-not-active',
              message: `${counted(open.length, 'lock')} not active: ${someOf(open.map(({ name, state }) => `${name} is ${state}`))}.`,
              remedy: 'Let the maintenance under way end, or find out from the lock what its controller waits for.',
              override: BY_FORCE,
            },
          ]),
      ...silent.map(name => ({
        code: 'no-lock',
        message: `No controller named ${name} holds a lock on the cluster, so nobody would answer for it.`,
        remedy:
          choices[name] === 'console'
            ? `Start our own controllers: \`lockkeeper controllers run ${ctx.world.cluster.name}\`.`
            : `Start the ${name} controller, or set in the cluster's settings that the cluster has no such application.`,
        override: { kind: 'never', why: 'the update would wait for its answer for ever' } as const,
      })),
    ]
    return readyUnless(blockers, `All ${all.length} locks are active.`, { evidence: [read], counted: locks })
  },
})

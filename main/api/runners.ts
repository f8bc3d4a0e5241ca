import type { SubmittedRun } from '../../shared/contract/index.ts'
import { failure } from '../../shared/domain/failure.ts'
import { isOver, type MaintenanceRun, RUNNER_GROUP } from '../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../shared/domain/plan.ts'
import { failed, ok } from '../../shared/domain/result.ts'
import { askerOf, runIdOf } from '../attach/remote-control.ts'
import { runOfPlan } from '../attach/run-of-plan.ts'
import type { RunnerPlace } from '../attach/runner-place.ts'
import { planGone } from '../windows/plan-forecast.ts'
import { windowOfRun } from '../windows/window-of-run.ts'
import { whyNotTyped } from './confirm-typed.ts'
import { findSubmitted } from './find-submitted.ts'
import { handOver } from './hand-over.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

type RunnerHandlers = Pick<
  Handlers,
  | 'attach.describe'
  | 'attach.stretch'
  | 'runner.list'
  | 'runner.offer'
  | 'runner.submit'
  | 'runner.submitted'
  | 'runner.hand-over'
>

/** Requests about runners in clusters: what one says of itself, and what a console asks of one. */
export function runnerHandlers(
  services: Pick<
    ApiServices,
    'attached' | 'clock' | 'clusters' | 'installation' | 'journal' | 'plans' | 'runs' | 'windows'
  >,
): RunnerHandlers {
  const { attached, clusters, installation, journal, plans, runs } = services
  const ownWord = `${runs.driver.operator}@${runs.driver.machine}`

  /** Where plans of a cloud may be run, and as whom; a failure says why they may not. */
  async function offered(cluster: string) {
    const found = await attached.runnerOf(cluster)
    if (!found.ok) return found
    const { pod, world } = found.value
    const objects = world.maintenanceRuns(pod.namespace)
    const question = { verb: 'create', group: RUNNER_GROUP, resource: 'maintenanceruns', namespace: pod.namespace }
    const [may, as, proved] = await Promise.all([
      world.world.kubernetes.reviewAccess([question]),
      objects.whoAmI(),
      objects.provesUsersSince(),
    ])
    if (!may.ok) return may
    if (may.value.some(({ allowed }) => !allowed)) {
      return failed(
        failure(
          'not-permitted',
          `You may not create MaintenanceRuns in namespace ${pod.namespace} of ${pod.by}. The role lockkeeper-submitter there grants it.`,
          { target: `cluster/${cluster}` },
        ),
      )
    }
    if (!as.ok) return as
    return ok({ pod, objects, as: as.value, proved: proved.ok && proved.value !== null })
  }

  return {
    'attach.describe': async () => {
      const known = clusters.list()
      if (!known.ok) return known
      const ends = journal.stretches.ends()
      if (!ends.ok) return ends
      return ok({
        version: installation.version,
        machine: runs.driver.machine,
        clouds: known.value.map(({ name }) => name),
        first: ends.value?.first ?? null,
        head: ends.value?.head ?? null,
      })
    },
    'attach.stretch': async ({ after, limit }) => journal.stretches.after(after, limit),
    'runner.list': async ({ cluster }) => {
      const known = cluster === null ? ok(null) : clusters.get(cluster)
      return known.ok ? ok([...(await attached.runners(cluster))]) : known
    },
    'runner.offer': async ({ cluster }) => {
      const known = clusters.get(cluster)
      if (!known.ok) return known
      const where = await offered(cluster)
      if (!where.ok) return ok({ kind: 'not-offered', why: where.failure.message })
      const { pod, as, proved } = where.value
      return ok({ kind: 'offered', by: pod.by, namespace: pod.namespace, runner: pod.name, as, proved })
    },
    'runner.submit': async ({ planId, typedCluster, windowId, outsideWindow, ...asked }) => {
      const shown = plans.find(planId)
      if (shown === null) return planGone(planId)
      const cluster = clusters.get(shown.cluster)
      if (!cluster.ok) return cluster
      const refused = whyNotTyped(shown, cluster.value.production, typedCluster)
      if (refused !== null) return failed(refused)
      const window = windowOfRun(shown, { windowId, outsideWindow }, services)
      if (!window.ok) return window
      const plan: Plan = { ...shown, window: window.value }
      const where = await offered(plan.cluster)
      if (!where.ok) return where
      const { pod, objects } = where.value
      const as = await askerOf({ objects, ownWord })
      if (!as.ok) return as
      const wishes = {
        startAfter: asked.startAfter ?? null,
        notAfter: asked.notAfter ?? null,
        answers: asked.answers ?? [],
        resumePolicy: asked.resumePolicy ?? 'Always',
        campaign: asked.campaign ?? null,
      }
      const run = runOfPlan(plan, as.value, wishes)
      if (!run.ok) return run
      const made = await objects.createRun(run.value)
      // An answer that was lost, and asked again: what is there is what was asked for, by its name.
      const there = made.ok || made.failure.code !== 'conflict' ? made : await findSubmitted(objects, run.value, made)
      if (!there.ok) return there
      plans.forget(planId)
      return ok(submitted(pod, there.value))
    },
    'runner.hand-over': async wish => {
      const handed = await handOver(wish, services, offered)
      return handed.ok ? ok(submitted(handed.value.place, handed.value.run)) : handed
    },
    'runner.submitted': async ({ by, namespace, object }) => {
      const world = await attached.worldOf({ by, namespace })
      if (!world.ok) return world
      const run = await world.value.maintenanceRuns(namespace).run(object)
      if (!run.ok) return run
      return run.value === null
        ? failed(
            failure('not-found', `There is no MaintenanceRun ${object} in namespace ${namespace} of ${by} any more.`, {
              target: `maintenancerun/${object}`,
            }),
          )
        : ok(submitted({ by, namespace }, run.value))
    },
  }

  function submitted({ by, namespace }: RunnerPlace, run: MaintenanceRun): SubmittedRun {
    const runId = runIdOf(run)
    const { status } = run
    const told = status === null || 'unreadable' in status ? null : status
    return {
      by,
      namespace,
      object: run.name,
      phase: told?.phase ?? 'Pending',
      message: told?.message ?? 'No runner has looked at it yet.',
      runId,
      mirrored: runId !== null && attached.find(runId) !== null,
      over: told !== null && isOver(told.phase),
    }
  }
}

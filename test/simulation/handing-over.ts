import { runHandlers } from '../../main/api/runs.ts'
import type { ApiServices } from '../../main/api/services.ts'
import { silentLogger } from '../../main/platform/log/logger.ts'
import { completeOptions, makePlan } from '../../main/procedures/plans/node/make-plan.ts'
import { createPlanRemaker } from '../../main/run-control/remake-plan.ts'
import { runsAs } from '../../main/runs/run-service.ts'
import { createShownPlans } from '../../main/runs/shown-plans.ts'
import { takeOverRun } from '../../main/runs/take-over.ts'
import { handOver, whyNotTakenBack } from '../../main/wings/runner/attach/hand-over.ts'
import { createRefusedHandOvers } from '../../main/wings/runner/attach/refused-hand-overs.ts'
import { createRunner, type Runner } from '../../main/wings/runner/runner.ts'
import type { RunnerApp } from '../../main/wings/runner/runner-app.ts'
import { textAt } from '../../main/wings/simulators/kubernetes/store/json.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { failure } from '../../shared/domain/failure.ts'
import type { Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { RunEvent, RunView } from '../../shared/domain/run.ts'
import { findingIn } from '../../shared/words/refusal.ts'
import { noCommands } from '../fixtures/procedures/own-commands.ts'
import { type Cloud, RUNNER_NAMESPACE } from './cloud.ts'
import type { Console } from './console.ts'
import type { Dice } from './dice.ts'
import type { Judge } from './judge.ts'
import type { Outcome } from './operator.ts'

/** The machine of the runner. */
export const RUNNER = 'runner'
const PLACE = { by: 'sim', namespace: RUNNER_NAMESPACE }

/** What a console hears of the runner: what its mirror would tell, at once. */
export interface RunnerAnswer {
  /** Whether its process is there. */
  isThere(): boolean
  /** Whether its journal has the run. */
  reports(runId: string): boolean
}

/** The services of a process that runs and hand-overs need. */
function servicesOf(console: Console, cluster: Cluster, dice: Dice, received: RunnerAnswer) {
  const { clock, journal, runs } = console
  const worlds = {
    open: async () => {
      const world = await console.connect()
      return world.ok ? ok({ world: world.value, openstackFailure: null }) : world
    },
  }
  const { objects } = console.shared(RUNNER_NAMESPACE)
  const world = async () => ok({ maintenanceRuns: () => objects })
  const refusals = createRefusedHandOvers({
    own: runs,
    journal,
    isReported: runId => received.isThere() && received.reports(runId),
    clock,
    log: silentLogger,
  } as Parameters<typeof createRefusedHandOvers>[0])
  const look = { worldOf: world } as never as { readonly worldOf: Parameters<typeof refusals.settle>[1] }
  const attached = {
    worldOf: world,
    runners: async () => [{ ...PLACE, connection: { kind: received.isThere() ? 'connected' : 'away' } }],
  } as never as Parameters<typeof whyNotTakenBack>[1]['attached']
  const services = {
    attached,
    others: {
      find: () => null,
      settle: (runId: string | null) => refusals.settle(runId, look.worldOf),
      whyNotTakenBack: (view: RunView) => whyNotTakenBack(view, { attached, clock }),
    },
    clock,
    clusters: { get: () => ok(cluster) },
    commands: noCommands,
    emit: () => {},
    log: silentLogger,
    newId: () => `p${Math.floor(dice.random() * 36 ** 8).toString(36)}`,
    plans: createShownPlans(async () => {}),
    runs,
    windows: journal.windows,
    worlds,
  } as unknown as ApiServices & { readonly attached: typeof attached }
  return { services, objects, refusals, worldOf: look.worldOf }
}

/** Runs a runner in a process until it ends. */
export function startRunnerOf(
  console: Console,
  {
    cluster,
    dice,
    onTakenOver,
  }: { readonly cluster: Cluster; readonly dice: Dice; readonly onTakenOver: (event: RunEvent) => void },
): Runner {
  const { clock, journal, driver, runs } = console
  const { services } = servicesOf(console, cluster, dice, { isThere: () => true, reports: () => false })
  const { leases, objects } = console.shared(RUNNER_NAMESPACE)
  const handlers = (of: ApiServices): Readonly<Record<string, (asked: never) => Promise<Result<unknown>>>> =>
    ({
      ...runHandlers(of),
      'cluster.list': async () => ok([]),
      'cluster.add': async () => ok(cluster),
      'cluster.remove': async () => ok({}),
      'window.show': async () => failed(failure('not-found', 'such window does not exist.')),
    }) as never
  const askOf =
    (of: ApiServices) =>
    (name: string, asked: unknown): Promise<Result<unknown>> =>
      handlers(of)[name]?.(asked as never) ?? Promise.resolve(failed(failure('internal', `${name} is not played.`)))
  const runnerApp = {
    driver,
    contract: { ask: askOf(services), listen: () => () => {} },
    runs,
    journal,
    keepPlan: services.plans.keep,
    leave: runs.leave,
    takeOver: (given: Parameters<RunnerApp['takeOver']>[0]) =>
      takeOverRun(given, { journal, driver, clock, knowsWindow: () => false, onEvent: onTakenOver }),
    estimate: async () => ok({ nodes: [], total: null, why: '' }),
    remake: createPlanRemaker(services),
    as: (who: Parameters<RunnerApp['as']>[0]) => askOf({ ...services, runs: runsAs(runs, who) }),
  } as unknown as RunnerApp
  return createRunner({
    self: { runner: 'runner-0/j', pod: 'runner-0', nodeName: null, isVolumeElsewhere: true },
    journalId: 'j',
    shard: { index: 0, of: 1 },
    runnerApp,
    objects,
    secrets: {
      watch: async ({ onSecrets }, signal) => {
        onSecrets([{ name: 'sim', uid: 'uid-sim', resourceVersion: '1', cloud: cluster.name, data: {} }])
        await new Promise(resolve => signal.addEventListener('abort', resolve))
      },
    },
    leases,
    place: {
      volume: async () => ({ kind: 'other', what: 'a disk' }),
      isOwnKubernetes: async () => true,
      isPodThere: async () => true,
    },
    files: { write: () => ok('/nowhere'), keepOnly: () => ok(undefined), clouds: () => [] },
    own: { paths: ['/nowhere'], context: 'sim' },
    notNow: () => (journal.readOnly === null ? null : findingIn(journal.readOnly)),
    clock,
    log: silentLogger,
  })
}

/** How many actions an operator may take on their run before they leave it alone. */
const PORT_ACCESS = 14

/** Somebody at a console who begins a run, hands it over at any quiet point, asks again, takes it back. */
export async function operateHandOver(
  console: Console,
  {
    cluster,
    dice,
    received,
    startAfterMs,
  }: { readonly cluster: Cluster; readonly dice: Dice; readonly received: RunnerAnswer; readonly startAfterMs: number },
): Promise<readonly Outcome[]> {
  const { clock, runs, journal } = console
  const { services, objects, refusals, worldOf } = servicesOf(console, cluster, dice, received)
  const handlers = runHandlers(services)
  await clock.sleep(startAfterMs)
  let runId = newestRun(journal)
  for (let left = 4; runId === null && left > 0; left -= 1) {
    const begun = await begin()
    if (begun.ok) runId = begun.value
    else if (newestRun(journal) !== null) runId = newestRun(journal)
    else if (left === 1) return [{ runId: null, how: 'never started', why: begun.failure.message }]
    else await clock.sleep(dice.between(2_000, 20_000))
  }
  const id = runId ?? ''
  for (let left = PORT_ACCESS; left > 0; left -= 1) {
    const isMoving = runs.active(id) !== null
    await clock.sleep(
      isMoving
        ? dice.between(10, dice.pick([200, 1_500, 8_000]))
        : dice.between(300, dice.pick([2_000, 10_000, 40_000])),
    )
    const found = runs.view(id)
    if (!found.ok) continue
    const { view, interrupted } = found.value
    const hasEnded = view.state.kind === 'finished'
    if (hasEnded && view.handedTo === null) break
    if (view.handedTo !== null) {
      const effect = dice.random()
      if (effect < 0.35) await handlers['run.resume']({ runId: id })
      else if (effect < 0.6 && !hasEnded) await handItOver()
      else await receive()
    } else if (interrupted) {
      if (dice.chance(0.7)) await handItOver()
      else await handlers['run.resume']({ runId: id })
    } else if (view.openGates[0] !== undefined) {
      const { gateId, choices } = view.openGates[0]
      const [first = 'abort', ...rest] = choices
      const choice = choices.includes('retry') && dice.chance(0.6) ? 'retry' : dice.pick([first, ...rest])
      runs.request(id, { kind: 'answer', gateId, choice, reason: 'so the dice fell' })
    } else if (view.state.kind === 'paused') {
      if (dice.chance(0.9)) await handItOver()
      else runs.request(id, { kind: 'unpause' })
    } else if (dice.chance(0.8)) runs.request(id, { kind: 'pause' })
  }
  // The runner's refusals arrive in the following minutes.
  for (let left = 12; left > 0 && standsBetween(); left -= 1) {
    await receive()
    await clock.sleep(15_000)
  }
  await runs.leaveAll()
  const end = runs.view(id)
  const state = end.ok ? end.value.view.state : null
  return [
    state?.kind === 'finished'
      ? { runId: id, how: 'over', why: state.outcome }
      : { runId: id, how: 'interrupted', why: 'its driver left' },
  ]

  async function begin(): Promise<Result<string>> {
    const world = await console.connect()
    if (!world.ok) return world
    const asked = {
      id: services.newId(),
      kind: 'enter' as const,
      node: 'cmp-1',
      madeAt: new Date(clock.now()).toISOString(),
      options: completeOptions({}, cluster),
    }
    const plan: Result<Plan> = await makePlan(asked, world.value)
    if (!plan.ok) return plan
    const started = await runs.start(plan.value, world.value)
    return started.ok ? ok(started.value.runId) : started
  }

  /** As the router does, but for who may create objects, which everybody may here. */
  function handItOver(): Promise<Result<unknown>> {
    return handOver({ runId: id }, services, async () => ok({ pod: { ...PLACE, name: 'runner-0' }, objects }))
  }

  async function receive(): Promise<void> {
    await refusals.settle(null, worldOf)
    if (received.isThere()) refusals.received(PLACE, true, () => worldOf(PLACE), new AbortController().signal)
  }

  function standsBetween(): boolean {
    const found = runs.view(id)
    return found.ok && found.value.view.handedTo !== null && !received.reports(id)
  }
}

function newestRun(journal: Console['journal']): string | null {
  const rows = journal.rows({ cluster: null })
  return rows.ok ? (rows.value[0]?.id ?? null) : null
}

/** How long after the consoles have finished a requested run may take to end, wait or be refused. */
const SETTLED_WITHIN_MS = 30 * 60_000
const SETTLED: ReadonlySet<string> = new Set(['Done', 'Failed', 'Aborted', 'Refused', 'Waiting', 'Paused'])

/** When nothing more comes of what was handed over, and what has to be so then, by the objects in the store and both journals. */
export function createHandOverEnd(cloud: Cloud, now: () => number) {
  let since: number | null = null
  const phases = () =>
    cloud.objects.list('MaintenanceRun').map(object => ({
      name: object.metadata.name,
      run: textAt(object, 'spec', 'handedOver', 'run') ?? '',
      phase: textAt(object, 'status', 'phase') ?? 'untold',
    }))
  return {
    /** Asked when the consoles are done. */
    isSettled: (): boolean => {
      since ??= now()
      return now() - since > SETTLED_WITHIN_MS || phases().every(({ phase }) => SETTLED.has(phase))
    },
    judge: ({
      consoles,
      reports,
      found,
    }: {
      readonly consoles: readonly { readonly tag: string; readonly console: Console | null }[]
      readonly reports: (runId: string) => boolean
      readonly found: Judge['found']
    }): void => {
      const all = phases()
      for (const { name, phase } of all) {
        if (!SETTLED.has(phase))
          found('no run is lost', `${name} is ${phase} ${SETTLED_WITHIN_MS} ms after its request`)
      }
      for (const { tag, console } of consoles) {
        const rows = console?.journal.rows({ cluster: null })
        for (const { id } of rows?.ok === true ? rows.value : []) {
          const view = console?.runs.view(id)
          if (view?.ok !== true) continue
          const { state } = view.value.view
          if (state.kind !== 'finished' || state.outcome !== 'handed-over' || reports(id)) continue
          const is = all.find(({ run }) => run === id)?.phase ?? 'not there'
          found('no run is lost', `${tag} handed run ${id} over, its object is ${is}, and no runner has it`)
        }
      }
    },
  }
}

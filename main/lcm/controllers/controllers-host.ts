import type { ControllersStatus } from '../../../shared/contract/index.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { CONTROLLERS_LEASE } from '../../../shared/domain/lease-name.ts'
import { isGone, type LeaseState } from '../../../shared/domain/lease-state.ts'
import { ControllerName } from '../../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { RunDriver } from '../../../shared/domain/run.ts'
import { holderWords, processWords } from '../../../shared/words/controllers.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import type { ApplicationController } from './application-controller.ts'
import { cephController } from './ceph.ts'
import { type ControllersLease, fencedControllerWorld, takeControllersLease } from './hold-lease.ts'
import { openstackController } from './openstack.ts'
import { type ControllerActivity, type RunControllersOptions, runControllers } from './run-controllers.ts'
import { stacklightController } from './stacklight.ts'
import { tungstenFabricController } from './tungstenfabric.ts'

export interface ControllersHost {
  start(world: ControllerWorld): Promise<Result<ControllersStatus>>
  stop(cluster: Cluster): Promise<ControllersStatus>
  status(cluster: Cluster, world: ControllerWorld | null): Promise<ControllersStatus>
  /** Resolves when a cluster's controllers stop; with the reason if it was not requested. */
  ended(cluster: string): Promise<Finding | null>
  closeAll(): Promise<void>
}

interface HostOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly driver: RunDriver
  readonly newId: () => string
  readonly onChanged: (status: ControllersStatus) => void
}

interface HostState extends HostOptions {
  readonly running: Map<string, Running>
  /** Why the controllers of a cluster stopped, or cannot write at the moment. */
  readonly troubles: Map<string, Finding>
}

interface Running {
  readonly cluster: Cluster
  readonly stop: AbortController
  readonly ended: Promise<Finding | null>
  activity: readonly ControllerActivity[]
}

export function createControllersHost(options: HostOptions): ControllersHost {
  const log = options.log.child('controllers')
  const state: HostState = { ...options, log, running: new Map(), troubles: new Map() }
  const { running } = state
  return {
    status: (cluster, world) => statusOf(state, cluster, world),
    start: world => startControllers(state, world),
    stop: async cluster => {
      const own = running.get(cluster.name)
      own?.stop.abort()
      await own?.ended
      return statusOf(state, cluster, null)
    },
    ended: async cluster => (await running.get(cluster)?.ended) ?? null,
    closeAll: async () => {
      for (const own of running.values()) own.stop.abort()
      await Promise.all([...running.values()].map(own => own.ended))
    },
  }
}

async function startControllers(state: HostState, world: ControllerWorld): Promise<Result<ControllersStatus>> {
  const { clock, log, driver, running, troubles } = state
  const { cluster } = world
  const target = `cluster/${cluster.name}`
  const known = running.get(cluster.name)
  if (known !== undefined) return ok(statusHere(state, known))
  const controllers = controllersOf(world, clock)
  if (controllers.length === 0)
    return failed(refusal('bad-input', because('NoControllerForConsole', { cluster: cluster.name }), { target }))
  const objects = await world.maintenanceApi.objects()
  if (!objects.ok) return objects
  const taken = await takeControllersLease({
    leases: world.kubernetes.leases,
    identity: `lockkeeper-controllers-${state.newId()}`,
    driver,
    clock,
    log,
    onAway: why => {
      recordTrouble(state, cluster, why)
      const own = running.get(cluster.name)
      if (own !== undefined) state.onChanged(statusHere(state, own))
    },
  })
  if (taken.kind === 'failed')
    return failed(refusal('unreachable', because('ControllersNotStarted', { why: taken.why })))
  if (taken.kind === 'elsewhere') {
    const why = because('ControllersElsewhere', elsewhere(cluster.name, taken.by))
    return failed(refusal('held', why, { target }))
  }
  const own = startRunning(state, world, controllers, taken.lease)
  running.set(cluster.name, own)
  troubles.delete(cluster.name)
  const status = statusHere(state, own)
  state.onChanged(status)
  return ok(status)
}

function startRunning(
  state: HostState,
  world: ControllerWorld,
  controllers: readonly ApplicationController[],
  lease: ControllersLease,
): Running {
  const { clock, log, running } = state
  const { cluster } = world
  const stop = new AbortController()
  const onActivity = (activity: readonly ControllerActivity[]) => {
    own.activity = activity
    state.onChanged(statusHere(state, own))
  }
  const own: Running = {
    cluster,
    stop,
    activity: [],
    ended: runUntilStopped({ world, controllers, clock, log, onActivity }, lease, stop.signal)
      .catch((error: unknown) => {
        log.error('controllers-crashed', { cluster: cluster.name, error })
        return because('ControllersCrashed')
      })
      .then(why => {
        running.delete(cluster.name)
        recordTrouble(state, cluster, why)
        void statusOf(state, cluster, null).then(state.onChanged)
        return why
      }),
  }
  return own
}

/** Runs the controllers until they are stopped or lose their Lease; resolves with why it was lost, or null. */
async function runUntilStopped(
  options: Omit<RunControllersOptions, 'mayAct' | 'signal'>,
  lease: ControllersLease,
  stop: AbortSignal,
): Promise<Finding | null> {
  const work = new AbortController()
  const rested = new AbortController()
  const kept = lease.keep(rested.signal).then(why => {
    work.abort()
    return why
  })
  stop.addEventListener('abort', () => work.abort(), { once: true })
  try {
    await runControllers({
      ...options,
      world: fencedControllerWorld(options.world, lease.gate),
      mayAct: lease.mayAct,
      signal: work.signal,
    })
  } finally {
    // Released only when all our work has stopped: the next holder starts at once.
    rested.abort()
  }
  return kept
}

function recordTrouble({ troubles }: HostState, { name }: Cluster, why: Finding | null): void {
  if (why === null) troubles.delete(name)
  else troubles.set(name, why)
}

async function statusOf(state: HostState, cluster: Cluster, world: ControllerWorld | null): Promise<ControllersStatus> {
  const own = state.running.get(cluster.name)
  if (own !== undefined) return statusHere(state, own)
  const base = {
    cluster: cluster.name,
    ...troubleFields(state, cluster),
    controllers: statuses(cluster, []),
  }
  const holder = world === null ? null : await world.kubernetes.leases.holder(CONTROLLERS_LEASE)
  if (holder?.ok && holder.value !== null && !isGone(holder.value)) {
    return { ...base, state: 'elsewhere', heldBy: holderWords(holder.value) }
  }
  const isUsed = Object.values(cluster.maintenanceApi.controllers).includes('console')
  return { ...base, state: isUsed ? 'stopped' : 'not-used', heldBy: null }
}

function statusHere(state: HostState, { cluster, activity }: Running): ControllersStatus {
  return {
    cluster: cluster.name,
    state: 'here',
    heldBy: processWords(state.driver),
    ...troubleFields(state, cluster),
    controllers: statuses(cluster, activity),
  }
}

function troubleFields(
  { troubles }: HostState,
  { name }: Cluster,
): Pick<ControllersStatus, 'trouble' | 'code' | 'values'> {
  const found = troubles.get(name)
  return found === undefined ? { trouble: null } : { trouble: found.message, code: found.code, values: found.values }
}

/** The process that runs them elsewhere, and the evidence if the Lease was not seen renewed. */
function elsewhere(cluster: string, by: LeaseState) {
  const { identity, operator, machine, since, seenRenewed, unchangedForMs, freeInMs, renewedAt } = by
  const seen = seenRenewed ? null : { seenRenewed, unchangedForMs, freeInMs, renewedAt }
  return { cluster, by: { identity, operator, machine, since }, seen }
}

function statuses(cluster: Cluster, activity: readonly ControllerActivity[]): ControllersStatus['controllers'] {
  return ControllerName.options.map(controller => ({
    controller,
    choice: cluster.maintenanceApi.controllers[controller],
    busyWith: [...(activity.find(entry => entry.controller === controller)?.busyWith ?? [])],
  }))
}

const CONTROLLERS: Readonly<Record<ControllerName, (world: ControllerWorld, clock: Clock) => ApplicationController>> = {
  openstack: openstackController,
  ceph: ({ cluster }, clock) => cephController(cluster, clock),
  tungstenfabric: tungstenFabricController,
  stacklight: stacklightController,
}

function controllersOf(world: ControllerWorld, clock: Clock): readonly ApplicationController[] {
  const { controllers } = world.cluster.maintenanceApi
  return ControllerName.options
    .filter(name => controllers[name] === 'console')
    .map(name => CONTROLLERS[name](world, clock))
}

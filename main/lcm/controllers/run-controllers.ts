import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import { type ControllerName, NO_MAINTENANCE_OBJECTS } from '../../../shared/domain/maintenance-api.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import type { ApplicationController, Snapshot } from './application-controller.ts'
import { createClusterWorker } from './cluster-worker.ts'
import { createNodeWorkers } from './node-workers.ts'
import { createWake, rest, type Wake, type WorkerParts } from './worker-parts.ts'

/** How often unwatched sources (Nova, Ceph, pods) are read while work waits for them. */
const LOOK_AGAIN_MS = 1_000
const REFRESH_MS = 15_000

export interface ControllerActivity {
  readonly controller: ControllerName
  /** One line per node or cluster. */
  readonly busyWith: readonly string[]
}

export interface RunControllersOptions {
  readonly world: ControllerWorld
  readonly controllers: readonly ApplicationController[]
  readonly clock: Clock
  readonly log: Logger
  readonly mayAct: () => boolean
  readonly onActivity: (activity: readonly ControllerActivity[]) => void
  readonly signal: AbortSignal
}

interface ControllersRun extends RunControllersOptions {
  readonly picture: Picture
  readonly wake: Wake
  readonly busy: Map<ControllerName, () => readonly string[]>
  reported: readonly ControllerActivity[]
}

/**
 * Runs application controllers over one cluster until the signal aborts: level-triggered, one worker per controller and node. While a watch is behind nothing
 * is decided or started, and changes from the others are held back: after an API server's restart they return one by one.
 */
export async function runControllers(options: RunControllersOptions): Promise<void> {
  const { world, controllers, log, signal } = options
  const wake = createWake()
  const picture = createControllerPicture(wake.all)
  const run: ControllersRun = { ...options, picture, wake, busy: new Map(), reported: [] }
  const running = controllers.map(controller => runController(run, controller))
  signal.addEventListener('abort', () => wake.all(), { once: true })
  await Promise.all([
    world.watchMaintenance(
      {
        onObjects: objects => picture.receive('objects', objects),
        onState: state => {
          picture.setLive('objects', state.kind === 'live')
          if (state.kind !== 'live' && state.kind !== 'catching-up') {
            log.warn('maintenance-objects-not-heard', { state: state.kind })
          }
        },
      },
      signal,
    ),
    world.watchNodes(
      {
        onNodes: nodes => picture.receive('nodes', nodes),
        onState: state => {
          picture.setLive('nodes', state.kind === 'live')
          if (state.kind === 'offline') log.warn('nodes-not-heard', { since: state.since })
        },
      },
      signal,
    ),
    ...running,
  ])
}

async function runController(run: ControllersRun, controller: ApplicationController): Promise<void> {
  const { world, clock, log, signal, picture, wake, mayAct, busy } = run
  const parts: WorkerParts = {
    controller,
    world,
    clock,
    log: log.child(controller.name),
    signal,
    snapshot: picture.snapshot,
    wake,
    lookAgainMs: LOOK_AGAIN_MS,
    mayAct,
    isCurrent: picture.isCurrent,
    current: picture.current,
    onActivity: () => reportActivity(run),
  }
  const workers = createNodeWorkers(parts)
  const cluster = createClusterWorker(parts)
  busy.set(controller.name, () => [...cluster.busyWith(), ...workers.busyWith()])
  let isRefreshed = controller.refresh === undefined
  const refreshing = refreshUntilStopped(run, controller, () => {
    isRefreshed = true
    wake.all()
  })
  while (!signal.aborted) {
    const woken = wake.next()
    if (isRefreshed && picture.isCurrent() && mayAct()) {
      workers.look()
      cluster.look()
    }
    await rest(woken, REFRESH_MS, clock, signal)
  }
  await Promise.all([workers.ended(), cluster.ended(), refreshing])
}

/** Beside the workers: an application that does not answer delays only its own work. */
async function refreshUntilStopped(
  { world, clock, log, signal, picture, wake }: ControllersRun,
  controller: ApplicationController,
  onRefreshed: () => void,
): Promise<void> {
  while (!signal.aborted) {
    if (picture.isCurrent()) {
      try {
        await controller.refresh?.(world, picture.snapshot(), signal)
        onRefreshed()
      } catch (error) {
        log.error('controller-not-refreshed', { controller: controller.name, error })
      }
      await clock.sleep(REFRESH_MS, signal)
    } else await rest(wake.next(), LOOK_AGAIN_MS, clock, signal)
  }
}

function reportActivity(run: ControllersRun): void {
  const activity = run.controllers.map(({ name }) => ({ controller: name, busyWith: run.busy.get(name)?.() ?? [] }))
  if (isSameJson(activity, run.reported)) return
  run.reported = activity
  run.onActivity(activity)
}

interface Picture {
  readonly snapshot: () => Snapshot
  /** Whether the picture is current: everything was received, and no watch is behind. */
  readonly isCurrent: () => boolean
  readonly current: () => AbortSignal
  receive<K extends keyof Snapshot>(part: K, what: Snapshot[K]): void
  /** Reports whether a part is live. Parts without a report count as live. */
  setLive(part: keyof Snapshot, isLive: boolean): void
}

/** Holds back changes while any part is behind, then shows all together. */
export function createControllerPicture(onChange: () => void): Picture {
  let shown: Snapshot = { objects: NO_MAINTENANCE_OBJECTS, nodes: [] }
  let received = shown
  const missing = new Set<keyof Snapshot>(['objects', 'nodes'])
  const behind = new Set<keyof Snapshot>()
  let current = new AbortController()
  current.abort()
  function show(): void {
    if (missing.size + behind.size > 0) return
    if (current.signal.aborted) current = new AbortController()
    shown = received
    onChange()
  }
  return {
    snapshot: () => shown,
    isCurrent: () => !current.signal.aborted,
    current: () => current.signal,
    receive: (part, what) => {
      received = { ...received, [part]: what }
      missing.delete(part)
      show()
    },
    setLive: (part, isLive) => {
      if (isLive === !behind.has(part)) return
      if (isLive) {
        behind.delete(part)
        show()
      } else {
        behind.add(part)
        current.abort()
      }
    },
  }
}

import type { ControllerName } from '../../../shared/domain/maintenance-api.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import type { ApplicationController } from './application-controller.ts'
import { createClusterWorker } from './cluster-worker.ts'
import { createNodeWorkers } from './node-workers.ts'
import { createPicture } from './picture.ts'
import { createWake, rest } from './worker-parts.ts'

/** How often unwatched sources (Nova, Ceph, pods) are read while work waits for them. */
const LOOK_AGAIN_MS = 1_000
const REFRESH_MS = 15_000

export interface ControllerActivity {
  readonly controller: ControllerName
  /** One line per node or cluster. */
  readonly busyWith: readonly string[]
}

interface RunControllersOptions {
  readonly world: ControllerWorld
  readonly controllers: readonly ApplicationController[]
  readonly clock: Clock
  readonly log: Logger
  /** Whether a write is allowed now: the Lease is held by the clock. */
  readonly mayAct: () => boolean
  readonly onActivity: (activity: readonly ControllerActivity[]) => void
  readonly signal: AbortSignal
}

/**
 * Runs application controllers over one cluster until the signal aborts: level-triggered, one worker per controller and node, woken by changes of nodes and
 * maintenance objects, and by a timer while an unwatched source is awaited. While a watch is behind nothing is decided or started, and changes from the others
 * are held back: after an API server's restart they return one by one.
 */
export async function runControllers(options: RunControllersOptions): Promise<void> {
  const { world, controllers, clock, log, signal } = options
  const wake = createWake()
  const picture = createPicture(wake.all)
  const { snapshot } = picture
  const busy = new Map<ControllerName, () => readonly string[]>()
  let reported = ''
  const reportActivity = () => {
    const activity = controllers.map(({ name }) => ({ controller: name, busyWith: busy.get(name)?.() ?? [] }))
    const now = JSON.stringify(activity)
    if (now === reported) return
    reported = now
    options.onActivity(activity)
  }

  /** Beside the workers: an application that does not answer delays only its own work. */
  async function refreshAgainAndAgain(controller: ApplicationController, onRefreshed: () => void): Promise<void> {
    while (!signal.aborted) {
      if (picture.isCurrent()) {
        try {
          await controller.refresh?.(world, snapshot(), signal)
          onRefreshed()
        } catch (error) {
          log.error('controller-not-refreshed', { controller: controller.name, error })
        }
        await clock.sleep(REFRESH_MS, signal)
      } else await rest(wake.next(), LOOK_AGAIN_MS, clock, signal)
    }
  }

  const running = controllers.map(async controller => {
    const parts = {
      controller,
      world,
      clock,
      log: log.child(controller.name),
      signal,
      snapshot,
      wake,
      lookAgainMs: LOOK_AGAIN_MS,
      mayAct: options.mayAct,
      isCurrent: picture.isCurrent,
      current: picture.current,
      onActivity: reportActivity,
    }
    const workers = createNodeWorkers(parts)
    const cluster = createClusterWorker(parts)
    busy.set(controller.name, () => [...cluster.busyWith(), ...workers.busyWith()])
    let refreshed = controller.refresh === undefined
    const refreshing = refreshAgainAndAgain(controller, () => {
      refreshed = true
      wake.all()
    })
    while (!signal.aborted) {
      const woken = wake.next()
      if (refreshed && picture.isCurrent() && options.mayAct()) {
        workers.look()
        cluster.look()
      }
      await rest(woken, REFRESH_MS, clock, signal)
    }
    await Promise.all([workers.ended(), cluster.ended(), refreshing])
  })
  signal.addEventListener('abort', () => wake.all(), { once: true })
  await Promise.all([
    world.watchMaintenance(
      {
        onObjects: objects => picture.receive('objects', objects),
        onState: state => {
          picture.stands('objects', state.kind === 'live')
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
          picture.stands('nodes', state.kind === 'live')
          if (state.kind === 'offline') log.warn('nodes-not-heard', { since: state.since })
        },
      },
      signal,
    ),
    ...running,
  ])
}

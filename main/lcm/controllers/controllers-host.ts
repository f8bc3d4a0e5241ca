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
import { fencedControllerWorld, takeControllersLease } from './hold-lease.ts'
import { openstackController } from './openstack.ts'
import { type ControllerActivity, runControllers } from './run-controllers.ts'
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

interface Running {
  readonly stop: AbortController
  readonly ended: Promise<Finding | null>
  activity: readonly ControllerActivity[]
}

export function createControllersHost(options: {
  readonly clock: Clock
  readonly log: Logger
  readonly driver: RunDriver
  readonly newId: () => string
  readonly onChanged: (status: ControllersStatus) => void
}): ControllersHost {
  const { clock, driver, onChanged } = options
  const log = options.log.child('controllers')
  const running = new Map<string, Running>()
  const troubles = new Map<string, Finding>()

  const troubleOf = ({ name }: Cluster): Pick<ControllersStatus, 'trouble' | 'code' | 'values'> => {
    const found = troubles.get(name)
    return found === undefined ? { trouble: null } : { trouble: found.message, code: found.code, values: found.values }
  }
  const statusHere = (cluster: Cluster, own: Running): ControllersStatus => ({
    cluster: cluster.name,
    state: 'here',
    heldBy: processWords(driver),
    ...troubleOf(cluster),
    controllers: statuses(cluster, own.activity),
  })

  async function status(cluster: Cluster, world: ControllerWorld | null): Promise<ControllersStatus> {
    const own = running.get(cluster.name)
    if (own !== undefined) return statusHere(cluster, own)
    const used = Object.values(cluster.maintenanceApi.controllers).includes('console')
    const base = {
      cluster: cluster.name,
      ...troubleOf(cluster),
      controllers: statuses(cluster, []),
    }
    const holder = world === null ? null : await world.kubernetes.leases.holder(CONTROLLERS_LEASE)
    if (holder?.ok && holder.value !== null && !isGone(holder.value)) {
      return { ...base, state: 'elsewhere', heldBy: holderWords(holder.value) }
    }
    return { ...base, state: used ? 'stopped' : 'not-used', heldBy: null }
  }

  return {
    status,
    start: async world => {
      const { cluster } = world
      const known = running.get(cluster.name)
      if (known !== undefined) return ok(statusHere(cluster, known))
      const controllers = controllersOf(world, clock)
      if (controllers.length === 0) {
        return failed(
          refusal('bad-input', because('NoControllerForConsole', { cluster: cluster.name }), {
            target: `cluster/${cluster.name}`,
          }),
        )
      }
      const objects = await world.maintenanceApi.objects()
      if (!objects.ok) return objects
      const taken = await takeControllersLease({
        leases: world.kubernetes.leases,
        identity: `lockkeeper-controllers-${options.newId()}`,
        driver,
        clock,
        log,
        onAway: why => {
          if (why === null) troubles.delete(cluster.name)
          else troubles.set(cluster.name, why)
          const own = running.get(cluster.name)
          if (own !== undefined) onChanged(statusHere(cluster, own))
        },
      })
      if (taken.kind === 'failed')
        return failed(refusal('unreachable', because('ControllersNotStarted', { why: taken.why })))
      if (taken.kind === 'elsewhere') {
        return failed(
          refusal('held', because('ControllersElsewhere', elsewhere(cluster.name, taken.by)), {
            target: `cluster/${cluster.name}`,
          }),
        )
      }
      const stop = new AbortController()
      const work = new AbortController()
      const own: Running = {
        stop,
        activity: [],
        ended: (async () => {
          const rested = new AbortController()
          const kept = taken.lease.keep(rested.signal).then(why => {
            work.abort()
            return why
          })
          stop.signal.addEventListener('abort', () => work.abort(), { once: true })
          try {
            await runControllers({
              world: fencedControllerWorld(world, taken.lease.gate),
              controllers,
              clock,
              log,
              mayAct: taken.lease.mayAct,
              onActivity: activity => {
                own.activity = activity
                onChanged(statusHere(cluster, own))
              },
              signal: work.signal,
            })
          } finally {
            // Released only when all our work has stopped: the next holder starts at once.
            rested.abort()
          }
          return kept
        })()
          .catch((error: unknown) => {
            log.error('controllers-crashed', { cluster: cluster.name, error })
            return because('ControllersCrashed')
          })
          .then(why => {
            running.delete(cluster.name)
            if (why === null) troubles.delete(cluster.name)
            else troubles.set(cluster.name, why)
            void status(cluster, null).then(onChanged)
            return why
          }),
      }
      running.set(cluster.name, own)
      troubles.delete(cluster.name)
      onChanged(statusHere(cluster, own))
      return ok(statusHere(cluster, own))
    },
    stop: async cluster => {
      const own = running.get(cluster.name)
      own?.stop.abort()
      await own?.ended
      return status(cluster, null)
    },
    ended: async cluster => (await running.get(cluster)?.ended) ?? null,
    closeAll: async () => {
      for (const own of running.values()) own.stop.abort()
      await Promise.all([...running.values()].map(own => own.ended))
    },
  }
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

const MAKERS: Readonly<Record<ControllerName, (world: ControllerWorld, clock: Clock) => ApplicationController>> = {
  openstack: openstackController,
  ceph: ({ cluster }, clock) => cephController(cluster, clock),
  tungstenfabric: tungstenFabricController,
  stacklight: stacklightController,
}

/** The controllers that the cluster's settings assign to this console. */
function controllersOf(world: ControllerWorld, clock: Clock): readonly ApplicationController[] {
  const { controllers } = world.cluster.maintenanceApi
  return ControllerName.options.filter(name => controllers[name] === 'console').map(name => MAKERS[name](world, clock))
}

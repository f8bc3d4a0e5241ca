import type { ControllersStatus } from '../../shared/contract/index.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { ControllerName } from '../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { ConnectedWorld } from '../clusters/clusters.ts'
import { detectControllers } from '../lcm/controllers/detect-controllers.ts'
import { giveUpRequests } from '../lcm/controllers/give-up-requests.ts'
import { controllerWorldOf } from './controller-world.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

export function controllerHandlers(
  services: Pick<ApiServices, 'clock' | 'clusters' | 'controllers' | 'log' | 'worlds'>,
): Pick<Handlers, 'controllers.detect' | 'controllers.status' | 'controllers.start' | 'controllers.stop'> {
  const { controllers, worlds } = services
  const watched = new Set<string>()
  return {
    'controllers.detect': async ({ cluster }) => {
      const connected = await worlds.open(cluster)
      if (!connected.ok) return connected
      const found = await detectControllers(connected.value.world)
      return found.ok ? ok([...found.value]) : found
    },
    'controllers.status': async ({ cluster }) => {
      const connected = await worlds.open(cluster)
      return connected.ok ? statusOf(connected.value) : connected
    },
    'controllers.start': async ({ cluster }) => {
      const connected = await worlds.open(cluster)
      if (!connected.ok) return connected
      if (connected.value.openstackFailure !== null) return { ok: false, failure: connected.value.openstackFailure }
      const started = await controllers.start(controllerWorldOf(connected.value))
      if (started.ok && !watched.has(cluster)) {
        watched.add(cluster)
        void restartOnChange(connected.value.world.cluster, services)
          .catch((error: unknown) => services.log.error('controllers-not-in-step', { cluster, error }))
          .finally(() => watched.delete(cluster))
      }
      return started
    },
    'controllers.stop': async ({ cluster }) => {
      const connected = await worlds.open(cluster)
      return connected.ok ? ok(await controllers.stop(connected.value.world.cluster)) : connected
    },
  }

  async function statusOf(connected: ConnectedWorld): Promise<Result<ControllersStatus>> {
    return ok(await controllers.status(connected.world.cluster, controllerWorldOf(connected)))
  }
}

/** How soon a changed setting takes effect, whichever process changed it. */
const LOOK_MS = 2_000

/** Restarts controllers of this process when their cluster's settings change, so that they never run beside the cluster's own. */
export async function restartOnChange(
  started: Cluster,
  services: Pick<ApiServices, 'clusters' | 'controllers' | 'worlds' | 'clock' | 'log'>,
): Promise<void> {
  const { clusters, controllers, worlds, clock } = services
  const log = services.log.child('controllers')
  const over = new AbortController()
  const ended = controllers.ended(started.name).then(() => over.abort())
  let now: ReturnType<typeof clusters.get> | null = null
  while (!over.signal.aborted) {
    await clock.sleep(LOOK_MS, over.signal)
    if (over.signal.aborted) break
    now = clusters.get(started.name)
    if (!now.ok || whatCounts(now.value) !== whatCounts(started)) break
    now = null
  }
  if (now === null) return ended
  log.info('controllers-settings-changed', { cluster: started.name })
  await controllers.stop(started)
  if (!now.ok) return
  const connected = await worlds.open(started.name)
  if (!connected.ok) return
  const choices = now.value.maintenanceApi.controllers
  const givenUp = ControllerName.options.filter(
    name => started.maintenanceApi.controllers[name] === 'console' && choices[name] !== 'console',
  )
  if (givenUp.length > 0) {
    const gone = await giveUpRequests(controllerWorldOf(connected.value), givenUp)
    if (!gone.ok)
      log.warn('requests-not-given-up', {
        cluster: started.name,
        why: gone.failure.message,
      })
  }
  if (!Object.values(choices).includes('console') || connected.value.openstackFailure !== null) return
  const again = await controllers.start(controllerWorldOf(connected.value))
  if (again.ok) return restartOnChange(connected.value.world.cluster, services)
  log.warn('controllers-not-restarted', { cluster: started.name, code: again.failure.code })
}

function whatCounts({
  kubeconfig,
  cloud,
  roleLabels,
  limits,
  openstackNamespace,
  leaseNamespace,
  maintenanceApi,
}: Cluster) {
  return JSON.stringify([kubeconfig, cloud, roleLabels, limits, openstackNamespace, leaseNamespace, maintenanceApi])
}

import type { ControllersStatus } from '../../shared/contract/index.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { ConnectedWorld } from '../clusters/clusters.ts'
import { detectControllers } from '../lcm/controllers/detect-controllers.ts'
import { controllerWorldOf } from './controller-world.ts'
import { keepInStep } from './controllers-in-step.ts'
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
        void keepInStep(connected.value.world.cluster, services)
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

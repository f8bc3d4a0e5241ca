import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

export function definitionHandlers(
  services: Pick<ApiServices, 'worlds' | 'onReachChanged'>,
): Pick<Handlers, 'definitions.status' | 'definitions.install'> {
  return {
    'definitions.status': async ({ cluster }) => {
      const connected = await services.worlds.open(cluster)
      if (!connected.ok) return connected
      const answer = await connected.value.world.maintenanceApi.definitions()
      return answer.ok ? { ok: true, value: [...answer.value] } : answer
    },
    'definitions.install': async ({ cluster }) => {
      const connected = await services.worlds.open(cluster)
      if (!connected.ok) return connected
      const answer = await connected.value.world.maintenanceApi.installDefinitions()
      // A view of a cloud without them looks for them once a minute.
      if (answer.ok) services.onReachChanged(cluster)
      return answer.ok ? { ok: true, value: [...answer.value] } : answer
    },
  }
}

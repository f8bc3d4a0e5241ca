import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

export function definitionHandlers(
  services: Pick<ApiServices, 'worlds'>,
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
      return answer.ok ? { ok: true, value: [...answer.value] } : answer
    },
  }
}

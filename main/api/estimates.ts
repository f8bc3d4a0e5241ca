import { ok } from '../../shared/domain/result.ts'
import { shareReadings } from '../run-control/shared-reading.ts'
import { createEstimateMaker } from '../windows/estimate-maker.ts'
import { judgeWindow } from '../windows/judge-window.ts'
import { createOwnersReader } from '../windows/owners.ts'
import { createWindowForecastReader } from '../windows/read-window-forecast.ts'
import { createWindowReader } from '../windows/window-reader.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

export function estimateHandlers(
  services: Pick<ApiServices, 'clock' | 'clusters' | 'newId' | 'plans' | 'runs' | 'windows' | 'worlds'>,
): Pick<Handlers, 'estimate.make' | 'window.judge' | 'window.forecast' | 'owners.list'> {
  const windowReader = createWindowReader(services)
  const make = createEstimateMaker(services)
  const shared = { ...services, worlds: shareReadings(services) }
  const judging = { ...shared, estimate: createEstimateMaker(shared) }
  const forecast = createWindowForecastReader(services, make)
  const owners = createOwnersReader(services)
  return {
    'estimate.make': async ({ cluster, plan }) => {
      const made = await make(cluster, plan)
      return made.ok ? ok(made.value.estimate) : made
    },
    'window.judge': ({ cluster, plan }) => judgeWindow(cluster, plan, judging),
    'window.forecast': async ({ id }) => {
      const listed = windowReader.find(id)
      return listed.ok ? forecast(listed.value) : listed
    },
    'owners.list': async ({ cluster, plan, announced }) => owners(cluster, plan, announced ?? null),
  }
}

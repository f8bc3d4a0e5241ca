import { ok, type Result } from '../../../shared/domain/result.ts'
import type { DemoClouds } from '../../ports/demo-clouds.ts'

export { openDemo } from './demo-handlers.ts'

type Options = Parameters<typeof import('./demo-clouds.ts').startDemoClouds>[0]

/** Starts embedded clouds in this process. The simulators are loaded only here, so other starts stay fast. */
export async function startDemoClouds(options: Options): Promise<Result<DemoClouds>> {
  return ok(await (await import('./demo-clouds.ts')).startDemoClouds(options))
}

import { ok, type Result } from '../../../shared/domain/result.ts'
import type { DemoClouds } from '../../ports/demo-clouds.ts'

type Options = Parameters<typeof import('./demo-clouds.ts').startDemoClouds>[0]

/** Starts embedded clouds in this process. What simulates them is loaded only now: no other start needs it. */
export async function startDemoClouds(options: Options): Promise<Result<DemoClouds>> {
  return ok(await (await import('./demo-clouds.ts')).startDemoClouds(options))
}

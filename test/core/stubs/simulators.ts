import type { Handlers } from '../../../main/api/serve.ts'
import type { DemoClouds } from '../../../main/ports/demo-clouds.ts'
import { failed, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'

/** A build without the embedded clouds. */
export async function startDemoClouds(_options: object): Promise<Result<DemoClouds>> {
  return failed(refusal('not-found', because('PartLeftOut', { what: 'embedded clouds' })))
}

/** The router refuses what has no handler. */
export function openDemo(_parts: object) {
  return { handlers: {} as Pick<Handlers, 'demo.show' | 'demo.change'>, historyAt: () => {} }
}

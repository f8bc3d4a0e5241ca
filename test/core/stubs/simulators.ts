import type { DemoClouds } from '../../../main/ports/demo-clouds.ts'
import { failed, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'

/** A build without the embedded clouds. */
export async function startDemoClouds(_options: object): Promise<Result<DemoClouds>> {
  return failed(refusal('not-found', because('PartLeftOut', { what: 'embedded clouds' })))
}

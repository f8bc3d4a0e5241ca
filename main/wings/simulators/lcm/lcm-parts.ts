import type { Clock } from '../../../platform/clock/clock.ts'
import type { Json } from '../kubernetes/store/json.ts'
import type { KubeClient } from './kube-client.ts'

const LOOK_MS = 300

export interface LcmParts {
  readonly clock: Clock
  readonly client: KubeClient
  readonly signal: AbortSignal
}

/** Ends the script when the demo stops. */
export class LcmStopped extends Error {}

/** Waits until a condition is true, through missing answers; throws when the demo stops. */
export async function until(parts: LcmParts, holds: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (parts.signal.aborted) throw new LcmStopped()
    // The API server may be unreachable for a while; a real LCM waits too.
    if (await holds().catch(() => false)) return
    await parts.clock.sleep(LOOK_MS, parts.signal)
  }
}

/** Reads the object at a path, and retries until the server answers. */
export async function readObject(parts: LcmParts, path: string): Promise<Json> {
  let found: Json = null
  await until(parts, async () => {
    const { status, body } = await parts.client.get(path)
    found = body
    return status === 200
  })
  return found
}

import type { Clock } from '../../../platform/clock/clock.ts'
import type { Json } from '../kubernetes/store/json.ts'
import type { KubeClient } from './kube-client.ts'

/** How often LCM looks at what it waits for. */
const LOOK_MS = 300

/** What the scripted LCM works with. */
export interface LcmParts {
  readonly clock: Clock
  readonly client: KubeClient
  readonly signal: AbortSignal
}

/** Thrown out of the script when the demo ends. */
export class LcmStopped extends Error {}

/** Waits until something holds. An answer that does not come is asked for again; the demo's end ends the wait. */
export async function until(parts: LcmParts, holds: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (parts.signal.aborted) throw new LcmStopped()
    // The API server may be away for a while: LCM of the field waits for it as well.
    if (await holds().catch(() => false)) return
    await parts.clock.sleep(LOOK_MS, parts.signal)
  }
}

/** The object at a path, asked for until the server answers with it. */
export async function readObject(parts: LcmParts, path: string): Promise<Json> {
  let found: Json = null
  await until(parts, async () => {
    const { status, body } = await parts.client.get(path)
    found = body
    return status === 200
  })
  return found
}

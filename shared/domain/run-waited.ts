import type { RunEvent, RunView } from './run.ts'
import { momentsOfRun } from './update-moments.ts'

/** How long a run has waited for somebody or something so far. */
interface RunWaited {
  /** Of waits that are over. */
  readonly ms: number
  /** Since when it waits now; null: it does not. */
  readonly since: string | null
}

/** The time in which anything of a run waited, each moment counted once however much waited then. */
export function waitedOf(view: Pick<RunView, 'plan' | 'endedAt'>, events: readonly RunEvent[]): RunWaited {
  const waiting = new Set<string>()
  let ms = 0
  let since: string | null = null
  for (const moment of momentsOfRun(view.plan, events)) {
    if (moment.kind !== 'wait') continue
    if (moment.what === null) waiting.delete(moment.subject)
    else waiting.add(moment.subject)
    if (since === null && waiting.size > 0) since = moment.at
    if (since !== null && waiting.size === 0) {
      ms += Date.parse(moment.at) - Date.parse(since)
      since = null
    }
  }
  if (since === null || view.endedAt === null) return { ms, since }
  return { ms: ms + Date.parse(view.endedAt) - Date.parse(since), since: null }
}

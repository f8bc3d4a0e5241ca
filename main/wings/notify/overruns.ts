import type { ListedWindow } from '../../../shared/contract/index.ts'
import type { WindowForecast } from '../../../shared/domain/estimate.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { Overrun } from './signals.ts'

/**
 * What goes on here and will not be over when its window ends, by the same forecast that every face shows: only where even the usual pace misses it, not
 * where it may.
 */
export function overrunsOver(parts: {
  readonly windowsOf: (cluster: string) => Result<readonly ListedWindow[]>
  /** Ids of the runs on a cluster that this process drives. */
  readonly drivenOn: (cluster: string) => readonly string[]
  readonly forecast: (listed: ListedWindow) => Promise<Result<Pick<WindowForecast, 'verdict' | 'words'>>>
}): (cluster: string) => Promise<readonly Overrun[]> {
  const { windowsOf, drivenOn, forecast } = parts
  return async cluster => {
    const driven = drivenOn(cluster)
    const listed = windowsOf(cluster)
    if (!listed.ok) return []
    const found: Overrun[] = []
    for (const window of listed.value) {
      // At the latest when the end has come: until then the forecast may not have known.
      if (window.status !== 'open' && window.status !== 'overrunning') continue
      const own = window.runs.filter(({ id }) => driven.includes(id))
      if (own.length === 0) continue
      const reported = await forecast(window)
      if (!reported.ok || reported.value.verdict !== 'overruns') continue
      found.push(...own.map(({ id: runId }) => ({ runId, words: reported.value.words })))
    }
    return found
  }
}

import type { ListedWindow } from '../../../shared/contract/index.ts'
import type { WindowForecast } from '../../../shared/domain/estimate.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { Overrun } from './signals.ts'

/** Runs of this process that will not end before their window, by the same forecast as everywhere; only if even the usual duration is too long. */
export function overrunsOver(parts: {
  readonly windowsOf: (cluster: string) => Result<readonly ListedWindow[]>
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
      // Checked again after the end: the forecast may not have known before.
      if (window.status !== 'open' && window.status !== 'overrunning') continue
      const own = window.runs.filter(({ id }) => driven.includes(id))
      if (own.length === 0) continue
      const forecasted = await forecast(window)
      if (!forecasted.ok || forecasted.value.verdict !== 'overruns') continue
      found.push(...own.map(({ id: runId }) => ({ runId, words: forecasted.value.words })))
    }
    return found
  }
}

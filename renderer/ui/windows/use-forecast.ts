import { useEffect, useState } from 'react'
import type { WindowForecast } from '../../../shared/domain/estimate.ts'
import { followForecast } from '../../bridge/windows.ts'
import { type Asked, failedAfter } from '../../stores/updates.ts'

/** The forecast of when the work of an open window ends, kept current. */
export function useForecast(id: string, cluster: string): Asked<WindowForecast> {
  const [asked, setAsked] = useState<Asked<WindowForecast>>({ kind: 'reading' })
  useEffect(() => {
    setAsked({ kind: 'reading' })
    return followForecast(id, cluster, answer =>
      setAsked(before => (answer.ok ? { kind: 'read', value: answer.value } : failedAfter(before, answer.failure))),
    )
  }, [id, cluster])
  return asked
}

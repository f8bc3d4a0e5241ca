import { useEffect, useState } from 'react'
import type { WindowOutlook } from '../../../shared/domain/estimate.ts'
import { followOutlook } from '../../bridge/windows.ts'
import { type Asked, failedAfter } from '../../stores/updates.ts'

/** Where an open window's work is heading, kept current while it is looked at. */
export function useOutlook(id: string, cluster: string): Asked<WindowOutlook> {
  const [asked, setAsked] = useState<Asked<WindowOutlook>>({ kind: 'reading' })
  useEffect(() => {
    setAsked({ kind: 'reading' })
    return followOutlook(id, cluster, answer =>
      setAsked(before => (answer.ok ? { kind: 'read', value: answer.value } : failedAfter(before, answer.failure))),
    )
  }, [id, cluster])
  return asked
}

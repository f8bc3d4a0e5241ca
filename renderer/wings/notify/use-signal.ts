import { useState } from 'react'
import type { Envelope } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { showToast } from '../../stores/toasts.ts'

/** One request at a time, with its failure. */
export function useSignal(): {
  readonly busy: boolean
  readonly failure: Failure | null
  /** `said`: shown on success. Returns the answer; null if it failed. */
  readonly run: <T>(request: () => Promise<Envelope<T>>, said?: string) => Promise<T | null>
} {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  return {
    busy,
    failure,
    run: async (request, said) => {
      setBusy(true)
      const answer = await request()
      setBusy(false)
      setFailure(answer.ok ? null : answer.failure)
      if (!answer.ok) return null
      if (said !== undefined) showToast({ tone: 'good', text: said })
      return answer.value
    },
  }
}

import { useCallback, useEffect, useRef, useState } from 'react'
import type { Envelope } from '../../../shared/contract/index.ts'
import { type Asked, failedAfter } from '../../stores/updates.ts'

export interface AnswerInHand<T> {
  readonly asked: Asked<T>
  /** Whether the answer belongs to the current question. */
  readonly isCurrent: boolean
  readonly again: () => void
}

/** Asks main once the question has been stable for a moment; a late answer is dropped. Null asks nothing. */
export function useAnswer<T>(key: string | null, ask: () => Promise<Envelope<T>>, afterMs: number): AnswerInHand<T> {
  const [asked, setAsked] = useState<Asked<T>>({ kind: 'reading' })
  const [answered, setAnswered] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  }, [ask])
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round asks again.
  useEffect(() => {
    if (key === null) return
    let isGone = false
    const timer = window.setTimeout(async () => {
      const answer = await latest.current()
      if (isGone) return
      setAsked(before => (answer.ok ? { kind: 'read', value: answer.value } : failedAfter(before, answer.failure)))
      setAnswered(key)
    }, afterMs)
    return () => {
      isGone = true
      window.clearTimeout(timer)
    }
  }, [key, afterMs, round])
  const again = useCallback(() => setRound(before => before + 1), [])
  return { asked, isCurrent: answered === key, again }
}

import { useCallback, useRef, useState } from 'react'
import type { Envelope } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'

/** The content of a file: not read, being read, read, or why it cannot be read. */
export interface Offers<T> {
  readonly value: T | null
  readonly failure: Failure | null
  readonly reading: boolean
  /** `quietly`: failures are not shown, because the operator did not ask. */
  readonly read: (ask: () => Promise<Envelope<T>>, quietly?: boolean) => Promise<T | null | undefined>
}

/** Reads a file on request. An answer of an earlier read never replaces a later one. */
export function useOffers<T>(): Offers<T> {
  const [state, setState] = useState<{
    readonly value: T | null
    readonly failure: Failure | null
    readonly reading: boolean
  }>({ value: null, failure: null, reading: false })
  const latest = useRef(0)
  const read = useCallback(async (ask: () => Promise<Envelope<T>>, quietly = false) => {
    latest.current += 1
    const turn = latest.current
    setState(before => ({ ...before, reading: true }))
    const answer = await ask()
    if (turn !== latest.current) return undefined
    setState(
      answer.ok
        ? { value: answer.value, failure: null, reading: false }
        : { value: null, failure: quietly ? null : answer.failure, reading: false },
    )
    return answer.ok ? answer.value : null
  }, [])
  return { ...state, read }
}

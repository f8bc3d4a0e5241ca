import { useCallback, useRef, useState } from 'react'
import type { ClusterTestReport, RequestInput } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { tryCluster } from '../../bridge/cluster-edits.ts'

/** A context, and the cloud beside it. */
export type Way = Pick<RequestInput<'cluster.try'>, 'kubeconfig' | 'cloud'>

/** A test of a way to a cluster that is not registered. */
export type WayTest =
  | { readonly kind: 'running' }
  | { readonly kind: 'answered'; readonly report: ClusterTestReport }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Each test logs in and sends about thirty requests. */
const MOST_AT_ONCE = 2

/** Tests of ways to clusters, each for exactly one way; a few at a time, the others wait. */
export function useClusterTests(): {
  readonly of: (way: Way) => WayTest | null
  readonly run: (way: Way) => void
} {
  const [tests, setTests] = useState<ReadonlyMap<string, WayTest>>(new Map())
  const queue = useRef<Way[]>([])
  const running = useRef(0)
  const run = useCallback((way: Way) => {
    const report = (of: Way, test: WayTest) => setTests(before => new Map(before).set(keyOf(of), test))
    const next = async (): Promise<void> => {
      const turn = running.current < MOST_AT_ONCE ? queue.current.shift() : undefined
      if (turn === undefined) return
      running.current += 1
      const answer = await tryCluster(turn)
      running.current -= 1
      report(turn, answer.ok ? { kind: 'answered', report: answer.value } : { kind: 'failed', failure: answer.failure })
      void next()
    }
    report(way, { kind: 'running' })
    queue.current.push(way)
    void next()
  }, [])
  return { of: way => tests.get(keyOf(way)) ?? null, run }
}

function keyOf({ kubeconfig, cloud }: Way): string {
  return JSON.stringify([kubeconfig.paths, kubeconfig.context, cloud?.path, cloud?.cloud])
}

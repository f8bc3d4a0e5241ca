import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { NodeEstimate } from '../../../shared/domain/estimate.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { UpdateOptions } from '../../../shared/domain/update.ts'
import { estimatePlan } from '../../bridge/windows.ts'
import type { NodeSpans } from '../../geometry/timeline-forecast.ts'

interface PlanSpans {
  readonly spans: NodeSpans
  /** Why the last estimate could not be read; null if it was read, or the first is being read. */
  readonly failure: Failure | null
}

/** How long each node of a plan takes, as measured; read again when nodes are added or removed, not when they move. */
export function usePlanSpans(cluster: string, options: UpdateOptions | null): PlanSpans {
  const [nodes, setNodes] = useState<readonly NodeEstimate[]>([])
  const [failure, setFailure] = useState<Failure | null>(null)
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })
  const names = options === null ? [] : [...options.controlNodes, ...options.groups.flatMap(group => group.nodes)]
  const key = options === null ? '' : `${options.scope} ${names.toSorted().join(' ')}`
  useEffect(() => {
    const { current } = latest
    if (key === '' || current === null) return
    let isWanted = true
    void estimatePlan(cluster, { kind: 'update', update: current }).then(answer => {
      if (!isWanted) return
      setFailure(answer.ok ? null : answer.failure)
      if (answer.ok) setNodes(answer.value.own.nodes)
    })
    return () => {
      isWanted = false
    }
  }, [cluster, key])
  const spans = useMemo(
    () => new Map(nodes.flatMap(({ node, total }) => (total === null ? [] : [[node, total] as const]))),
    [nodes],
  )
  return { spans, failure }
}

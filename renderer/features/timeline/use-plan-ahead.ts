import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Estimate } from '../../../shared/domain/estimate.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { UpdateOptions } from '../../../shared/domain/update.ts'
import { estimatePlan } from '../../bridge/windows.ts'
import { type PlanAhead, planAhead } from '../../geometry/plan-ahead.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lanesAhead } from '../../ui/plan/lane-order.ts'
import type { UpdateDraft } from '../../ui/plan/update-draft.ts'

/** The axis begins at the last step of this length, so that it does not move every second. */
const STEP_MS = 60_000

interface PlanAheadInHand {
  readonly ahead: PlanAhead
  /** Where the axis begins. */
  readonly nowMs: number
  /** Where its times come from, in words; empty if unknown. */
  readonly basis: string
  /** Why the last estimate could not be read; null if it was read, or the first is being read. */
  readonly failure: Failure | null
}

/** A plan as it lies ahead; its times are read again when nodes are added or removed, not when they move. */
export function usePlanAhead(cluster: string, draft: UpdateDraft, options: UpdateOptions | null): PlanAheadInHand {
  const [estimate, setEstimate] = useState<Estimate | null>(null)
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
      if (answer.ok) setEstimate(answer.value)
    })
    return () => {
      isWanted = false
    }
  }, [cluster, key])
  const nowMs = useTicks(store => Math.floor(store.nowMs / STEP_MS) * STEP_MS)
  const lanes = useMemo(() => lanesAhead(draft), [draft])
  const ahead = useMemo(() => planAhead(lanes, estimate, nowMs), [lanes, estimate, nowMs])
  return { ahead, nowMs, basis: estimate?.own.basis ?? '', failure }
}

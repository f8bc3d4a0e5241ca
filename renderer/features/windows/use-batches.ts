import { useCallback, useEffect, useRef, useState } from 'react'
import type { BatchOptions, JudgedBatches } from '../../../shared/domain/batches.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { MaintenanceScope } from '../../../shared/domain/plan.ts'
import type { LeftNode } from '../../../shared/domain/window.ts'
import { computeBatches, judgeBatches } from '../../bridge/windows.ts'
import { type BatchBoard, moveNodes, nodesOf } from './batch-board.ts'
import type { BatchesDraft } from './plan-draft.ts'

/** Whether the current batches were judged. Until then the last verdict stays readable. */
type JudgeState =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'judging'; readonly last: JudgedBatches | null }
  | { readonly kind: 'judged'; readonly judged: JudgedBatches }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly last: JudgedBatches | null }

interface BatchesInHand {
  readonly judge: JudgeState
  readonly isComputing: boolean
  /** Why batches could not be computed; null if they could, or were not requested. */
  readonly computeFailure: Failure | null
  readonly canUndo: boolean
  /** `whyLeft`: the reasons of main, if it made the board. */
  readonly edit: (board: BatchBoard, whyLeft?: readonly LeftNode[]) => void
  readonly undo: () => void
  readonly compute: () => void
  readonly judgeAgain: () => void
}

/** How long the board must be stable before main judges it. */
const JUDGE_AFTER_MS = 350
const MOST_UNDONE = 100

/** The batches being edited: moved, judged by main's rules after each change, computed again, undone. */
interface Computed {
  readonly batches: BatchBoard['batches']
  readonly wish: BatchOptions
  readonly scope: MaintenanceScope
}

export function useBatches(cluster: string, draft: BatchesDraft, onEdit: (draft: BatchesDraft) => void): BatchesInHand {
  const { board, wish, scope } = draft
  const [judge, setJudge] = useState<JudgeState>({ kind: 'nothing' })
  const [isComputing, setComputing] = useState(false)
  const [computeFailure, setComputeFailure] = useState<Failure | null>(null)
  const [round, setRound] = useState(0)
  const asked = useRef(0)
  /** Computed batches are already judged. */
  const known = useRef<Computed | null>(null)

  const { batches } = board
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round asks again.
  useEffect(() => {
    if (known.current?.batches === batches && known.current.wish === wish && known.current.scope === scope) return
    asked.current += 1
    const own = asked.current
    if (batches.length === 0) {
      setJudge({ kind: 'nothing' })
      return
    }
    setJudge(before => ({ kind: 'judging', last: lastJudged(before) }))
    const timer = window.setTimeout(async () => {
      const answer = await judgeBatches(
        cluster,
        batches.map(nodes => ({ nodes: [...nodes] })),
        wish,
        scope,
      )
      if (own !== asked.current) return
      setJudge(before =>
        answer.ok
          ? { kind: 'judged', judged: answer.value }
          : { kind: 'failed', failure: answer.failure, last: lastJudged(before) },
      )
    }, JUDGE_AFTER_MS)
    return () => window.clearTimeout(timer)
  }, [cluster, batches, wish, scope, round])
  useEffect(
    () => () => {
      asked.current += 1
    },
    [],
  )

  const { edit, undo, canUndo } = useEdits(draft, onEdit)
  const compute = useCallback(async () => {
    asked.current += 1
    const own = asked.current
    setComputing(true)
    setComputeFailure(null)
    const answer = await computeBatches(cluster, [...nodesOf(board), ...board.leftOut], wish, scope)
    setComputing(false)
    if (own !== asked.current) return
    if (!answer.ok) {
      setComputeFailure(answer.failure)
      // A judgement that is still running is dropped.
      setRound(before => before + 1)
      return
    }
    const next = moveNodes(
      { batches: answer.value.batches.map(({ nodes }) => nodes), leftOut: [] },
      answer.value.left.map(({ node }) => node),
      { kind: 'out' },
    )
    known.current = { batches: next.batches, wish, scope }
    setJudge({ kind: 'judged', judged: answer.value })
    edit(next, answer.value.left)
  }, [cluster, board, wish, scope, edit])
  return {
    judge,
    isComputing,
    computeFailure,
    canUndo,
    edit,
    undo,
    compute: useCallback(() => void compute(), [compute]),
    judgeAgain: useCallback(() => setRound(before => before + 1), []),
  }
}

/** Changes the board, and takes changes back. */
function useEdits(draft: BatchesDraft, onEdit: (draft: BatchesDraft) => void) {
  const { board } = draft
  const [past, setPast] = useState<readonly BatchBoard[]>([])
  const edit = useCallback(
    (next: BatchBoard, whyLeft = draft.whyLeft) => {
      if (next === board) return
      setPast(before => [...before, board].slice(-MOST_UNDONE))
      onEdit({ ...draft, board: next, whyLeft })
    },
    [board, draft, onEdit],
  )
  const undo = useCallback(() => {
    const last = past.at(-1)
    if (last === undefined) return
    setPast(past.slice(0, -1))
    onEdit({ ...draft, board: last })
  }, [past, draft, onEdit])
  return { edit, undo, canUndo: past.length > 0 }
}

/** The last verdict, possibly on earlier batches; null if there is none. */
export function lastJudged(state: JudgeState): JudgedBatches | null {
  switch (state.kind) {
    case 'nothing':
      return null
    case 'judged':
      return state.judged
    case 'judging':
    case 'failed':
      return state.last
  }
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { UpdateProposal } from '../../../shared/contract/maintenance.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { UpdateOptions } from '../../../shared/domain/update.ts'
import { planUpdate, proposeUpdate } from '../../bridge/updates.ts'
import { draftOf, readDraft, type UpdateDraft } from '../../ui/plan/update-draft.ts'
import { lastMade, type MadePlan, type PlanState } from '../../ui/plan/use-plan.ts'

/** Main's proposal for an update. */
type ProposalState =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'read'; readonly proposal: UpdateProposal }

/** The update being planned, and what the operator may do with it. */
export interface UpdatePlanInHand {
  readonly cluster: string
  readonly proposal: ProposalState
  /** Null before the proposal. */
  readonly draft: UpdateDraft | null
  /** Whether the nodes and their order are as proposed. */
  readonly isAsProposed: boolean
  readonly edit: (change: Partial<UpdateDraft>) => void
  /** Null if not checked yet. */
  readonly plan: PlanState | null
  /** Whether the shown plan belongs to the current draft. */
  readonly isOfDraft: boolean
  readonly choices: PlanChoices
  /** Makes the plan of these options and runs every check. */
  readonly check: (options: UpdateOptions, choices: PlanChoices) => void
  readonly proposeAgain: () => void
}

/** A change is checked when the operator pauses this long. */
const PAUSE_MS = 700

/** The update being planned: proposed, edited, and checked after each change. A late answer is dropped. `way`: chosen nodes go out together and stay out, or one by one and back; null as main proposes. */
export function useUpdatePlan(
  cluster: string,
  chosen: readonly string[] | null,
  way: 'out' | 'back' | null = null,
): UpdatePlanInHand {
  const [proposal, setProposal] = useState<ProposalState>({ kind: 'reading' })
  const [draft, setDraft] = useState<UpdateDraft | null>(null)
  const [proposed, setProposed] = useState<UpdateDraft | null>(null)
  const [plan, setPlan] = useState<PlanState | null>(null)
  const [isOfDraft, setOfDraft] = useState(false)
  const [choices, setChoices] = useState<PlanChoices>({})
  const asked = useRef(0)

  const edit = useCallback((change: Partial<UpdateDraft>) => {
    setDraft(before => (before === null ? null : { ...before, ...change }))
    setOfDraft(false)
  }, [])

  const check = useCallback(
    (options: UpdateOptions, wanted: PlanChoices) => {
      asked.current += 1
      const own = asked.current
      const last = (before: PlanState | null): MadePlan | null => (before === null ? null : lastMade(before))
      setChoices(wanted)
      setOfDraft(true)
      setPlan(before => ({ kind: 'making', sinceMs: Date.now(), last: last(before) }))
      void planUpdate(cluster, options, { ...wanted, scope: options.scope, reason: options.reason }).then(answer => {
        if (own !== asked.current) return
        setPlan(before =>
          answer.ok
            ? { kind: 'made', made: { checked: answer.value, madeAtMs: Date.now(), world: null } }
            : { kind: 'failed', failure: answer.failure, last: last(before) },
        )
      })
    },
    [cluster],
  )
  const propose = useCallback(async () => {
    setProposal({ kind: 'reading' })
    const answer = await proposeUpdate(cluster, chosen, way === 'out')
    if (!answer.ok) {
      setProposal({ kind: 'failed', failure: answer.failure })
      return
    }
    setProposal({ kind: 'read', proposal: answer.value })
    const options = way === 'back' ? oneByOne(answer.value.options) : answer.value.options
    const fresh = draftOf(options)
    setDraft(fresh)
    setProposed(fresh)
    check(options, {})
  }, [cluster, chosen, way, check])
  useEffect(() => {
    void propose()
    return () => {
      asked.current += 1
    }
  }, [propose])

  const isUnchecked = draft !== null && !isOfDraft
  const unchecked = useMemo(() => (isUnchecked ? readDraft(draft, null) : null), [isUnchecked, draft])
  useEffect(() => {
    if (unchecked?.kind !== 'ready') return
    const { options } = unchecked
    const timer = window.setTimeout(() => check(options, choices), PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [unchecked, choices, check])

  const proposeAgain = useCallback(() => void propose(), [propose])
  const isAsProposed = draft?.groups === proposed?.groups && draft?.controlNodes === proposed?.controlNodes
  return { cluster, proposal, draft, isAsProposed, edit, plan, isOfDraft, choices, check, proposeAgain }
}

/** The proposed nodes in their order, one at a time. */
function oneByOne(options: UpdateOptions): UpdateOptions {
  const [first] = options.groups
  if (first === undefined) return options
  const nodes = options.groups.toSorted((a, b) => a.index - b.index).flatMap(group => group.nodes)
  return { ...options, groups: [{ ...first, nodes, concurrentUpdates: 1 }] }
}

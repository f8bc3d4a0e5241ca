import { useMemo, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import type { MaintenanceWindow, WindowDraft, WindowPlan } from '../../../shared/domain/window.ts'
import { changeWindow } from '../../bridge/windows.ts'
import { showToast } from '../../stores/toasts.ts'
import { type PlanDraft, type PlanReading, planDraftOf, readPlanDraft } from './plan-draft.ts'

interface PlanDraftInHand {
  readonly draft: PlanDraft
  readonly reading: PlanReading
  /** The plan as it would be saved; as it was saved while the draft is not complete. */
  readonly plan: WindowPlan
  /** Whether something is not saved yet. */
  readonly isChanged: boolean
  /** Whether somebody else changed the window since the draft was begun. */
  readonly isOutdated: boolean
  readonly isSaving: boolean
  readonly failure: Failure | null
  readonly edit: (draft: PlanDraft) => void
  readonly discard: () => void
  readonly save: () => void
}

interface Begun {
  readonly window: MaintenanceWindow
  readonly draft: PlanDraft
}

/** The plan of a window as it is being edited: saved with the revision it was begun from, so that nobody else's change is lost. */
export function usePlanDraft(window: MaintenanceWindow, nodes: readonly string[] | null): PlanDraftInHand {
  const [begun, setBegun] = useState<Begun | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  // A list that is read again holds equal windows that are not the same.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a window says changes with its revision alone.
  const saved = useMemo(() => planDraftOf(window.plan), [window.id, window.revision])
  const draft = begun?.draft ?? saved
  const reading = useMemo(() => readPlanDraft(draft, nodes), [draft, nodes])
  const plan = reading.kind === 'ready' ? reading.plan : window.plan
  // Held against what the saved plan reads as: what it leaves unsaid is not a change.
  const before = begun === null ? null : readPlanDraft(planDraftOf(begun.window.plan), nodes)
  const isChanged = before !== null && !isSameJson(reading, before)
  const isOutdated = begun !== null && !isSameJson(draftOf(begun.window), draftOf(window))
  const save = async () => {
    if (begun === null || reading.kind !== 'ready') return
    setSaving(true)
    // A remark makes a revision too, and overwrites nothing.
    const revision = isOutdated ? begun.window.revision : window.revision
    const answer = await changeWindow({ id: window.id, revision, draft: { ...draftOf(window), plan: reading.plan } })
    setSaving(false)
    setFailure(answer.ok ? null : answer.failure)
    if (!answer.ok) return
    for (const text of answer.value.warnings) showToast({ text, tone: 'caution' })
    showToast({ text: `The plan of ${window.title} was saved.`, tone: 'good' })
    setBegun(null)
  }
  return {
    draft,
    reading,
    plan,
    isChanged,
    isOutdated,
    isSaving,
    failure,
    edit: next => setBegun({ window: begun?.window ?? window, draft: next }),
    discard: () => {
      setBegun(null)
      setFailure(null)
    },
    save: () => void save(),
  }
}

/** What an operator said of a window, of all that is known of it. */
function draftOf({ cluster, title, ticket, startsAt, endsAt, timeZone, plan, notes }: MaintenanceWindow): WindowDraft {
  return { cluster, title, ticket, startsAt, endsAt, timeZone, plan, notes }
}

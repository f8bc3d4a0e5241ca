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
  /** The plan that would be saved; the saved plan while the draft is incomplete. */
  readonly plan: WindowPlan
  /** Whether there are unsaved changes. */
  readonly isChanged: boolean
  /** Whether the window changed since the draft began. */
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

/** The plan of a window as edited: saved with the revision it began from, so that no other change is lost. */
export function usePlanDraft(window: MaintenanceWindow, nodes: readonly string[] | null): PlanDraftInHand {
  const [begun, setBegun] = useState<Begun | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  // A list that is read again holds equal windows that are not the same.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a window changes only with its revision.
  const saved = useMemo(() => planDraftOf(window.plan), [window.id, window.revision])
  const draft = begun?.draft ?? saved
  const reading = useMemo(() => readPlanDraft(draft, nodes), [draft, nodes])
  const plan = reading.kind === 'ready' ? reading.plan : window.plan
  // Compared with the saved plan as read: defaults are not a change.
  const before = begun === null ? null : readPlanDraft(planDraftOf(begun.window.plan), nodes)
  const isChanged = before !== null && !isSameJson(reading, before)
  const isOutdated = begun !== null && !isSameJson(draftOf(begun.window), draftOf(window))
  const save = async () => {
    if (begun === null || reading.kind !== 'ready') return
    setSaving(true)
    // A note makes a new revision too, and conflicts with nothing.
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

/** The fields of a window that an operator enters. */
function draftOf({ cluster, title, ticket, startsAt, endsAt, timeZone, plan, notes }: MaintenanceWindow): WindowDraft {
  return { cluster, title, ticket, startsAt, endsAt, timeZone, plan, notes }
}

import { AnchorButton, Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { createWindow } from '../../bridge/windows.ts'
import { goTo, hashOf } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { useShownZone } from '../../ui/windows/window-card.tsx'
import { type HeadDraft, newHead, readHead } from './head-draft.ts'
import { HeadForm } from './head-form.tsx'
import { NO_PLAN, readPlanDraft } from './plan-draft.ts'
import { PlanEditor } from './plan-editor.tsx'
import { Problems } from './problems.tsx'
import '../../ui/plan/plan.css'
import '../../ui/plan/update-dialog.css'
import './batches.css'
import './window-page.css'
import './windows.css'

interface Props {
  readonly cluster: string | null
  /** Null: the next full hour. */
  readonly times: { readonly startsAt: string; readonly endsAt: string } | null
}

/** Makes a new window. */
export function NewWindowScreen({ cluster, times }: Props): ReactNode {
  const zone = useShownZone()
  const [head, setHead] = useState<HeadDraft>(() => newHead(cluster ?? '', Date.now(), zone, times))
  const [plan, setPlan] = useState(NO_PLAN)
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const nodes = useViews(store => lastOf(store.byCluster.get(head.cluster))?.nodes ?? null)
  const headReading = readHead(head)
  const planReading = readPlanDraft(plan, nodes === null ? null : [...nodes.keys()])
  const isReady = headReading.kind === 'ready' && planReading.kind === 'ready'
  const announce = async () => {
    if (headReading.kind !== 'ready' || planReading.kind !== 'ready') return
    setAsking(true)
    setFailure(null)
    const answer = await createWindow({ ...headReading.head, plan: planReading.plan })
    setAsking(false)
    if (!answer.ok) {
      setFailure(answer.failure)
      return
    }
    for (const text of answer.value.warnings) showToast({ text, tone: 'caution' })
    goTo({ kind: 'window', id: answer.value.window.id })
  }
  return (
    <div className="win">
      <div className="win-head row">
        <h1>New window</h1>
      </div>
      <section className="panel" aria-label="The window">
        <HeadForm
          draft={head}
          fixedCluster={false}
          onEdit={next => {
            // Nodes belong to one cluster.
            if (next.cluster !== head.cluster) setPlan(NO_PLAN)
            setHead(next)
          }}
        />
      </section>
      {head.cluster === '' ? null : (
        <section className="panel" aria-label="The plan">
          <PlanEditor key={head.cluster} cluster={head.cluster} draft={plan} estimate={null} onEdit={setPlan} />
        </section>
      )}
      {failure === null ? null : <FailureCallout title="The window was not saved" failure={failure} />}
      <footer className="win-foot row wrap">
        <Problems readings={[headReading, planReading]} />
        <AnchorButton text="Cancel" href={hashOf({ kind: 'windows' })} />
        <Button
          intent="primary"
          text="Save the window"
          disabled={!isReady}
          loading={asking}
          onClick={() => void announce()}
        />
      </footer>
    </div>
  )
}

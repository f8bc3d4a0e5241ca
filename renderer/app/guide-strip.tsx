import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect } from 'react'
import { takesOut } from '../../shared/domain/plan.ts'
import { endGuide, noteSight, useGuide } from '../stores/guide.ts'
import { usePlanDialog } from '../stores/plan-dialog.ts'
import type { Route } from '../stores/route.ts'
import { showToast } from '../stores/toasts.ts'
import { GUIDE_STEPS } from '../ui/guide/guide.ts'
import { GuideButton, GuideHint, GuideTitle } from '../ui/guide/guide-steps.tsx'
import { type Guide, useDemoGuide } from '../ui/guide/use-guide.ts'

/** The guide of the demo below every screen but Home, where its card is: the next step, and how to do it. */
export function GuideStrip({ place }: { readonly place: Route }): ReactNode {
  const guide = useDemoGuide()
  const isOnMap = place.kind === 'cluster' && place.screen === 'topology' && place.cluster === guide?.cluster
  useSights(isOnMap)
  usePointer(guide)
  useEnd(guide)
  const step = guide?.now ?? null
  if (guide === null || step === null || place.kind === 'home') return null
  const number = GUIDE_STEPS.indexOf(step) + 1
  return (
    <aside className="guide-strip row" aria-label="First steps">
      <span className="guide-number rigid strong">{number}</span>
      <b className="nowrap">
        <GuideTitle step={step} guide={guide} />
      </b>
      <span className="quiet cut">
        <GuideHint step={step} guide={guide} />
        {step === 'drag' && isOnMap ? ' By keys: select it and press E.' : null}
      </span>
      <span className="space" />
      <span className="quiet small nowrap">
        {number} of {GUIDE_STEPS.length}
      </span>
      <GuideButton step={step} guide={guide} isOnMap={isOnMap} />
      <Button size="small" variant="minimal" text="Skip" aria-label="Skip the guide" onClick={endGuide} />
    </aside>
  )
}

/** Notes what only the page sees: a map that was opened, a plan that was read. */
function useSights(isOnMap: boolean): void {
  const state = useGuide(store => store.state)
  const plans = usePlanDialog(({ open }) => open !== null && open.kind !== 'undo' && takesOut(open.kind))
  useEffect(() => {
    if (state !== 'begun') return
    if (isOnMap) noteSight('open')
    if (plans) noteSight('plan')
  }, [state, isOnMap, plans])
}

/** Points at the node of the step on the map. */
function usePointer(guide: Guide | null): void {
  const isAbout = guide !== null && guide.node !== null && (guide.now === 'drag' || guide.now === 'start')
  const at = isAbout ? `${guide.cluster}/${guide.node}` : null
  useEffect(() => {
    useGuide.setState({ pointedAt: at })
  }, [at])
}

function useEnd(guide: Guide | null): void {
  const node = guide !== null && guide.now === null ? guide.node : null
  useEffect(() => {
    if (node === null) return
    endGuide()
    showToast({
      text: `${node} went out and came back. Its report is in your downloads.`,
      tone: 'good',
    })
  }, [node])
}

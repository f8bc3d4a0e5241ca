import { useEffect, useRef } from 'react'
import type { RunSummary } from '../../shared/contract/index.ts'
import { isReached } from '../../shared/domain/run-ending.ts'
import { endingTone, mayPowerOff } from '../../shared/words/run-ending.ts'
import { runTitle } from '../../shared/words/runs.ts'
import { openPlanDialog } from '../stores/plan-dialog.ts'
import { clusterRoute, goTo, type Route } from '../stores/route.ts'
import { useRuns } from '../stores/runs.ts'
import { showToast, type Toast } from '../stores/toasts.ts'

/** Tells how a run ended to somebody who looks elsewhere, with the next step; its own page shows it anyway. */
export function useEndToasts(place: Route): void {
  const list = useRuns(store => store.list)
  const open = useRef<ReadonlySet<string>>(new Set())
  const shown = place.kind === 'cluster' ? place.runId : null
  useEffect(() => {
    if (list === null) return
    for (const run of endedNow(open.current, list))
      if (run.id !== shown) showToast({ ...toastOf(run), isListed: false })
    open.current = new Set(list.filter(({ condition }) => condition.kind !== 'over').map(({ id }) => id))
  }, [list, shown])
}

/** The runs that were under way in the last list and have ended in this one. */
export function endedNow(open: ReadonlySet<string>, list: readonly RunSummary[]): readonly RunSummary[] {
  return list.filter(({ id, condition }) => condition.kind === 'over' && open.has(id))
}

/** How it ended, in its title, and what most operators do next. */
export function toastOf(run: RunSummary): Parameters<typeof showToast>[0] {
  const { condition, cluster, kind, node } = run
  const title = `${runTitle(run).filter(Boolean).join(' ')}.`
  if (condition.kind !== 'over') return { text: title }
  const { ending } = condition
  const text = mayPowerOff(ending) ? `${title} Safe to power off.` : title
  const tone: Toast['tone'] = endingTone(ending) === 'good' ? 'good' : isReached(ending) ? 'plain' : 'caution'
  const look = { text: 'Open', run: () => goTo(clusterRoute(cluster, 'history', { runId: run.id })) }
  if (!isReached(ending)) return { text, tone, action: { ...look, text: 'What to do' } }
  if (kind === 'enter' && node !== null) {
    const bring = () => openPlanDialog({ kind: 'leave', cluster, nodes: [node] })
    return { text, tone, action: { text: `Bring ${node} back`, run: bring } }
  }
  return { text, tone, action: look }
}

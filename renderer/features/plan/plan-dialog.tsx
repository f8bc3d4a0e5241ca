import { Dialog } from '@blueprintjs/core'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { colourOf } from '../../../shared/domain/cluster.ts'
import { useClusters } from '../../stores/clusters.ts'
import { closePlanDialog, type PlanRequest, usePlanDialog } from '../../stores/plan-dialog.ts'
import { nextNode } from './next-node.ts'
import { PlanNodes } from './plan-nodes.tsx'
import { PlanPage } from './plan-page.tsx'
import { tellStarted } from './tell-started.ts'
import '../../ui/plan/plan.css'

/** The plan that was asked for, laid over whatever is shown. Nothing starts by its being open. */
export function PlanDialog(): ReactNode {
  const open = usePlanDialog(store => store.open)
  return open === null ? null : <OpenPlan key={`${open.cluster} ${open.kind} ${open.nodes.join(' ')}`} request={open} />
}

function OpenPlan({ request }: { readonly request: PlanRequest }): ReactNode {
  const { cluster, kind, nodes } = request
  const [at, setAt] = useState(0)
  const [started, setStarted] = useState<ReadonlyMap<string, RunSummary>>(new Map())
  const colour = useClusters(({ list }) =>
    colourOf((list.kind === 'listed' ? list.byName.get(cluster) : undefined) ?? { name: cluster, colour: null }),
  )
  const cancel = useRef<HTMLButtonElement>(null)
  const focusCancel = useCallback(() => cancel.current?.focus(), [])
  const node = nodes[at]
  // The dialog hears Escape only while the focus is in it; what had the focus may just have gone.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.activeElement === document.body) closePlanDialog()
    }
    document.addEventListener('keydown', onKey)
    // Who goes elsewhere, by the browser's own Back, puts the plan away.
    window.addEventListener('hashchange', closePlanDialog)
    return () => {
      document.removeEventListener('keydown', onKey)
      window.removeEventListener('hashchange', closePlanDialog)
    }
  }, [])

  const onStarted = useCallback(
    (run: RunSummary) => {
      const all = new Map(started).set(run.node, run)
      setStarted(all)
      const next = nextNode(nodes, at, new Set(all.keys()))
      if (next !== null) {
        setAt(next)
        return
      }
      closePlanDialog()
      tellStarted(run)
    },
    [started, nodes, at],
  )

  return (
    <Dialog
      isOpen
      className="plan-sheet"
      onClose={closePlanDialog}
      onOpened={focusCancel}
      canOutsideClickClose={false}
      title={
        <span className="plan-title row">
          <span className="plan-dot" style={{ background: `var(--cluster-${colour})` }} />
          {kind === 'enter' ? 'Enter maintenance' : 'Bring back'}: {node} <span className="plan-of">of {cluster}</span>
        </span>
      }
    >
      <div className="plan-body" style={{ borderTopColor: `var(--cluster-${colour})` }}>
        {nodes.length < 2 ? null : (
          <PlanNodes cluster={cluster} kind={kind} nodes={nodes} at={at} started={started} onShow={setAt} />
        )}
        {node === undefined ? null : (
          <PlanPage key={node} cluster={cluster} kind={kind} node={node} cancel={cancel} onStarted={onStarted} />
        )}
      </div>
    </Dialog>
  )
}

import { Dialog } from '@blueprintjs/core'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { rollingKindOf } from '../../../shared/words/plans.ts'
import { useClusterColour, useClusters } from '../../stores/clusters.ts'
import { closeUpdateDialog, useUpdateDialog } from '../../stores/update-dialog.ts'
import { UpdatePlanPage } from './update-plan-page.tsx'
import '../../ui/plan/plan.css'
import '../../ui/plan/update-dialog.css'

/** The plan of an update over any screen. Opening it starts nothing. */
export function UpdateDialog(): ReactNode {
  const open = useUpdateDialog(store => store.open)
  return open === null ? null : <OpenUpdatePlan key={JSON.stringify(open)} cluster={open.cluster} chosen={open.nodes} />
}

interface Props {
  readonly cluster: string
  /** The chosen nodes; null means all of the cluster. */
  readonly chosen: readonly string[] | null
}

function OpenUpdatePlan({ cluster, chosen }: Props): ReactNode {
  const colour = useClusterColour(cluster)
  const isUpdate = useClusters(
    ({ list }) => rollingKindOf(list.kind === 'listed' ? list.byName.get(cluster)?.flavour : undefined) === 'update',
  )
  const cancel = useRef<HTMLButtonElement>(null)
  const focusCancel = useCallback(() => cancel.current?.focus(), [])
  useEffect(() => {
    // The browser's Back closes the plan.
    window.addEventListener('hashchange', closeUpdateDialog)
    return () => window.removeEventListener('hashchange', closeUpdateDialog)
  }, [])
  return (
    <Dialog
      isOpen
      className="plan-sheet plan-wide plan-night"
      backdropClassName="plan-backdrop"
      onClose={closeUpdateDialog}
      onOpened={focusCancel}
      canOutsideClickClose={false}
      title={
        <span className="plan-title row">
          <span className="plan-dot" style={{ background: colour }} />
          {chosen === null
            ? `${isUpdate ? 'Update' : 'Work on the nodes of'} ${cluster}`
            : `${isUpdate ? 'Update' : 'Work on'} chosen nodes of ${cluster}`}{' '}
          <span className="plan-of">{chosen === null && isUpdate ? 'node by node' : 'batch by batch'}</span>
        </span>
      }
    >
      <div className="plan-body">
        <UpdatePlanPage cluster={cluster} chosen={chosen} cancel={cancel} />
      </div>
    </Dialog>
  )
}

import { Dialog } from '@blueprintjs/core'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { rollingKindOf } from '../../../shared/words/plans.ts'
import { useClusterColour, useClusters } from '../../stores/clusters.ts'
import { closeUpdateDialog, useUpdateDialog } from '../../stores/update-dialog.ts'
import { UpdatePlanPage } from './update-plan-page.tsx'
import '../../ui/plan/plan.css'
import '../../ui/plan/update-dialog.css'

/** The update that is being planned, laid over whatever is shown. Nothing starts by its being open. */
export function UpdateDialog(): ReactNode {
  const cluster = useUpdateDialog(store => store.cluster)
  return cluster === null ? null : <OpenUpdatePlan key={cluster} cluster={cluster} />
}

function OpenUpdatePlan({ cluster }: { readonly cluster: string }): ReactNode {
  const colour = useClusterColour(cluster)
  const isUpdate = useClusters(
    ({ list }) => rollingKindOf(list.kind === 'listed' ? list.byName.get(cluster)?.flavour : undefined) === 'update',
  )
  const cancel = useRef<HTMLButtonElement>(null)
  const focusCancel = useCallback(() => cancel.current?.focus(), [])
  useEffect(() => {
    // Going elsewhere, by the browser's own Back, puts the plan away.
    window.addEventListener('hashchange', closeUpdateDialog)
    return () => window.removeEventListener('hashchange', closeUpdateDialog)
  }, [])
  return (
    <Dialog
      isOpen
      className="plan-sheet plan-wide"
      backdropClassName="plan-backdrop"
      onClose={closeUpdateDialog}
      onOpened={focusCancel}
      canOutsideClickClose={false}
      title={
        <span className="plan-title row">
          <span className="plan-dot" style={{ background: colour }} />
          {isUpdate ? 'Update' : 'Work on the nodes of'} {cluster}{' '}
          <span className="plan-of">{isUpdate ? 'node by node' : 'group by group'}</span>
        </span>
      }
    >
      <div className="plan-body">
        <UpdatePlanPage cluster={cluster} cancel={cancel} />
      </div>
    </Dialog>
  )
}

import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useClusters } from '../../stores/clusters.ts'
import { hashOf } from '../../stores/route.ts'
import { openUpdateDialog } from '../../stores/update-dialog.ts'
import { DefinitionsCard } from '../../ui/maintenance-api/definitions-card.tsx'
import { ControllersCard } from './controllers-card.tsx'
import { ObjectsCard } from './objects-card.tsx'
import { PastUpdates } from './past-updates.tsx'

interface Props {
  readonly cluster: string
  /** Shows the last update that was seen from outside; null: none was seen. */
  readonly onLookBack: (() => void) | null
  /** Whether it is known that nobody else updates it. */
  readonly isObserved: boolean
}

/** Nothing updates the cluster: whether it could be, who would answer, and how to begin. */
export function UpdateIdle({ cluster, onLookBack, isObserved }: Props): ReactNode {
  const flavour = useClusters(({ list }) => (list.kind === 'listed' ? list.byName.get(cluster)?.flavour : undefined))
  return (
    <div className="upd-idle">
      <header className="upd-head">
        <h1>Update of {cluster}</h1>
        <p className="upd-facts">
          No run of Lockkeeper updates {cluster} now{isObserved ? ', and nobody else was seen to' : ''}.
          {onLookBack === null ? null : (
            <button type="button" className="link" onClick={onLookBack}>
              Look at the last update that was seen
            </button>
          )}
        </p>
      </header>
      <section className="panel" aria-labelledby="upd-begin">
        <h2 id="upd-begin">Begin an update</h2>
        {flavour === undefined || flavour === 'mosk' ? (
          <p>
            Node by node through the node maintenance API, in five phases: prepare, applications, control-plane nodes,
            worker nodes, finish. The plan is shown with every check first; nothing starts before you confirm it.
          </p>
        ) : (
          <p>
            Node by node: each is taken out of service, worked on and brought back by its own steps, since a cluster of
            flavour {flavour} has no node maintenance API. The plan is shown with every check first. A{' '}
            <a href={hashOf({ kind: 'new-window', cluster })}>maintenance window</a> makes batches of the nodes for you.
          </p>
        )}
        <Button intent="primary" text="Plan an update…" onClick={() => openUpdateDialog(cluster)} />
      </section>
      <ControllersCard cluster={cluster} />
      <ObjectsCard cluster={cluster} />
      <DefinitionsCard cluster={cluster} />
      <PastUpdates cluster={cluster} />
    </div>
  )
}

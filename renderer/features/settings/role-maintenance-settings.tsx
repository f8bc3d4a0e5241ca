import { Button } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import { type Cluster, cephAccessOf } from '../../../shared/domain/cluster.ts'
import { draftOf, jujuOf } from '../../ui/clusters/juju-draft.ts'
import { JujuFields } from '../../ui/clusters/juju-fields.tsx'
import { RoleMaintenanceFields } from '../../ui/clusters/role-maintenance-fields.tsx'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { useChange } from '../../ui/use-change.ts'

/** How the roles of a cluster's nodes are taken into maintenance: who empties them, how Ceph is asked, which Juju has the machines. */
export function RoleMaintenanceSettingsForm({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { busy, failure, change } = useChange(cluster.name)
  const [settings, setSettings] = useState(cluster.roleMaintenance)
  const [draft, setDraft] = useState(() => draftOf(cluster.roleMaintenance.juju))
  const id = useId()
  const read = jujuOf(draft)
  const next = { ...settings, juju: read.ok ? read.juju : null }
  const changed = !read.ok || JSON.stringify(next) !== JSON.stringify(cluster.roleMaintenance)
  const overJuju = cephAccessOf({ flavour: cluster.flavour, roleMaintenance: next }) === 'microceph'
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>Maintenance by roles</h2>
      <RoleMaintenanceFields
        flavour={cluster.flavour}
        settings={settings}
        onEdit={more => setSettings({ ...settings, ...more })}
      />
      <JujuFields draft={draft} onEdit={more => setDraft({ ...draft, ...more })} />
      {overJuju && draft.kind === 'none' ? (
        <p className="row caution">
          MicroCeph is asked over Juju: without a controller, storage nodes cannot be maintained.
        </p>
      ) : null}
      <div className="row buttons">
        <Button
          text="Save"
          disabled={!changed || !read.ok}
          loading={busy}
          onClick={() =>
            void change({ roleMaintenance: next }, `New plans for ${cluster.name} go by these ways of maintenance.`)
          }
        />
        {!read.ok ? (
          <span className="quiet">{read.missing}</span>
        ) : changed ? (
          <span className="quiet">Not saved yet.</span>
        ) : null}
      </div>
      {failure === null ? null : <FailureCallout title="It was not changed" failure={failure} />}
    </section>
  )
}

import { FormGroup, TagInput } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { cephAccessOf } from '../../../shared/domain/cluster.ts'
import { NodeRole } from '../../../shared/domain/roles.ts'
import { ROLE_WORDS } from '../../../shared/words/nodes.ts'
import { JujuFields } from '../../ui/clusters/juju-fields.tsx'
import { RoleMaintenanceFields } from '../../ui/clusters/role-maintenance-fields.tsx'
import type { SettingsPartProps } from './general-settings.tsx'

/** The node labels of each role; a node has a role if any of its labels matches. */
export function RoleLabelSettings({ draft, onEdit }: SettingsPartProps): ReactNode {
  const id = useId()
  return (
    <section id="set-roles" className="panel" aria-labelledby={id}>
      <h2 id={id}>Roles</h2>
      <p className="quiet">
        A node has a role if one of these labels matches: <code>key</code> with any value, or <code>key=value</code>.
        Enter adds one.
      </p>
      <div className="set-grid">
        {NodeRole.options.map(role => (
          <FormGroup key={role} label={ROLE_WORDS[role]} labelFor={`${id}-${role}`}>
            <TagInput
              inputProps={{ id: `${id}-${role}`, spellCheck: false }}
              values={draft.roleLabels[role]}
              addOnBlur
              onChange={values =>
                onEdit({
                  roleLabels: {
                    [role]: values.filter(value => typeof value === 'string' && value.trim() !== ''),
                  },
                })
              }
            />
          </FormGroup>
        ))}
      </div>
    </section>
  )
}

/** Maintenance by roles: how nodes are emptied, how Lockkeeper reaches Ceph, which Juju has the machines. */
export function RoleMaintenanceSettingsForm({ draft, onEdit }: SettingsPartProps): ReactNode {
  const id = useId()
  const { flavour, juju } = draft
  const overJuju = cephAccessOf({ flavour, roleMaintenance: { ...draft.roleMaintenance, juju: null } }) === 'microceph'
  return (
    <section id="set-by-roles" className="panel" aria-labelledby={id}>
      <h2 id={id}>Maintenance by roles</h2>
      <RoleMaintenanceFields
        flavour={flavour}
        settings={draft.roleMaintenance}
        onEdit={more => onEdit({ roleMaintenance: more })}
      />
      <JujuFields draft={juju} onEdit={more => onEdit({ juju: { ...juju, ...more } })} />
      {overJuju && juju.kind === 'none' ? (
        <p className="row caution">
          Lockkeeper reaches MicroCeph over Juju: without a controller, it cannot maintain storage nodes.
        </p>
      ) : null}
    </section>
  )
}

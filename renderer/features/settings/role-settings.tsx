import { Button, FormGroup, TagInput } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { NodeRole, type RoleLabelRules } from '../../../shared/domain/roles.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { useChange } from '../../ui/use-change.ts'

/** Which node labels mean which role; a node has a role when any of its labels matches. */
export function RoleSettings({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { busy, failure, change } = useChange(cluster.name)
  const [rules, setRules] = useState<RoleLabelRules>(cluster.roleLabels)
  const id = useId()
  const changed = JSON.stringify(rules) !== JSON.stringify(cluster.roleLabels)
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>What node labels mean</h2>
      <p className="quiet">
        <code>key</code> alone matches any value, <code>key=value</code> matches exactly. Enter adds one.
      </p>
      {NodeRole.options.map(role => (
        <FormGroup key={role} label={role} labelFor={`${id}-${role}`}>
          <TagInput
            inputProps={{ id: `${id}-${role}`, spellCheck: false }}
            values={rules[role]}
            addOnBlur
            onChange={values =>
              setRules({ ...rules, [role]: values.filter(value => typeof value === 'string' && value.trim() !== '') })
            }
          />
        </FormGroup>
      ))}
      <div className="row buttons">
        <Button
          text="Save"
          disabled={!changed}
          loading={busy}
          onClick={() =>
            void change({ roleLabels: rules }, `The roles of ${cluster.name} are read from these labels now.`)
          }
        />
        {changed ? <Button variant="minimal" text="Put back" onClick={() => setRules(cluster.roleLabels)} /> : null}
      </div>
      {failure === null ? null : <FailureCallout title="It was not changed" failure={failure} />}
    </section>
  )
}

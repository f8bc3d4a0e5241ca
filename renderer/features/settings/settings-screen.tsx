import { Button, FormGroup, HTMLSelect, InputGroup, NonIdealState, Switch, TagInput } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import { type Cluster, ClusterFlavour, cephAccessOf, freeColour } from '../../../shared/domain/cluster.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import { NodeRole, type RoleLabelRules } from '../../../shared/domain/roles.ts'
import { FLAVOUR_WORDS } from '../../../shared/words/flavours.ts'
import { removeCluster } from '../../bridge/cluster-edits.ts'
import { useClusters } from '../../stores/clusters.ts'
import { goTo } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'
import { ColourChoice } from '../../ui/clusters/colour-choice.tsx'
import { ForeignEndpoints } from '../../ui/clusters/foreign-endpoints.tsx'
import { draftOf, jujuOf } from '../../ui/clusters/juju-draft.ts'
import { JujuFields } from '../../ui/clusters/juju-fields.tsx'
import { RoleMaintenanceFields } from '../../ui/clusters/role-maintenance-fields.tsx'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { later } from '../../ui/later.tsx'
import { DefinitionsCard } from '../../ui/maintenance-api/definitions-card.tsx'
import { slots } from '../../ui/slots.ts'
import { useChange } from '../../ui/use-change.ts'
import { LimitSettings } from './limit-settings.tsx'
import { MaintenanceApiSettingsForm } from './maintenance-api-settings.tsx'
import { ReachSettings } from './reach-settings.tsx'
import '../../ui/settings.css'
import '../../ui/clusters/clusters.css'

/** From the wing; null if it is left out. */
const { loadSignalSettings } = slots()
const SignalSettings = loadSignalSettings === null ? null : later(loadSignalSettings)

interface Props {
  readonly cluster: string
}

/** Settings of one cluster on this console. */
export function SettingsScreen({ cluster: name }: Props): ReactNode {
  const cluster = useClusters(store => (store.list.kind === 'listed' ? store.list.byName.get(name) : undefined))
  if (cluster === undefined) {
    return <NonIdealState title={`No cloud named ${name} is registered`} description="Choose one on the left." />
  }
  return (
    <div className="set">
      <h1>Settings of {name}</h1>
      <p className="quiet">This console keeps them. They change nothing in the cloud.</p>
      <LookSettings cluster={cluster} />
      <ReachSettings cluster={cluster} />
      {cluster.cloud === null ? null : <ForeignEndpoints key={JSON.stringify(cluster.cloud)} cluster={cluster.name} />}
      <RoleSettings key={JSON.stringify(cluster.roleLabels)} cluster={cluster} />
      <RoleMaintenanceSettingsForm
        key={`${cluster.flavour} ${JSON.stringify(cluster.roleMaintenance)}`}
        cluster={cluster}
      />
      <LimitSettings key={JSON.stringify(cluster.limits)} cluster={cluster} />
      {cluster.flavour === 'mosk' ? (
        <>
          <MaintenanceApiSettingsForm key={JSON.stringify(cluster.maintenanceApi)} cluster={cluster} />
          <DefinitionsCard cluster={cluster.name} />
        </>
      ) : null}
      {SignalSettings === null ? null : <SignalSettings cluster={cluster} />}
      <RemoveCluster cluster={cluster} />
    </div>
  )
}

/** Removes a cluster from this console, once its name is typed. Its runs stay in the journal. */
function RemoveCluster({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const id = useId()
  const remove = async () => {
    const answer = await removeCluster(cluster.name)
    if (!answer.ok) {
      setFailure(answer.failure)
      return
    }
    showToast({
      text: `${cluster.name} is no longer registered here. Nothing in it was changed; its runs stay in the journal.`,
    })
    goTo({ kind: 'home' })
  }
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>Remove</h2>
      <p>
        Removes {cluster.name} from this console. Nothing in the cloud changes, its files stay, and the history of its
        runs is kept.
      </p>
      <FormGroup label={`Type ${cluster.name} to remove it`} labelFor={`${id}-typed`}>
        <InputGroup id={`${id}-typed`} value={typed} onValueChange={setTyped} spellCheck={false} autoComplete="off" />
      </FormGroup>
      <Button
        intent="danger"
        text={`Remove ${cluster.name}`}
        disabled={typed !== cluster.name}
        onClick={() => void remove()}
      />
      {failure === null ? null : <FailureCallout title="The cloud was not removed" failure={failure} />}
    </section>
  )
}

/** Flavour, colour, and whether it is production. */
function LookSettings({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { failure, change } = useChange(cluster.name)
  const colour = useClusters(({ list }) => (list.kind === 'listed' ? list.colours.get(cluster.name) : undefined))
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>Kind</h2>
      <Switch
        label="Production: type its name before anything disruptive starts"
        checked={cluster.production}
        onChange={event =>
          void change(
            { production: event.currentTarget.checked },
            `${cluster.name} is ${event.currentTarget.checked ? 'marked as production' : 'no longer marked as production'}.`,
          )
        }
      />
      <div className="set-grid">
        <FormGroup label="Flavour" labelFor={`${id}-flavour`} helperText={FLAVOUR_WORDS[cluster.flavour]}>
          <HTMLSelect
            id={`${id}-flavour`}
            value={cluster.flavour}
            options={[...ClusterFlavour.options]}
            onChange={event => {
              const flavour = ClusterFlavour.parse(event.currentTarget.value)
              void change({ flavour }, `${cluster.name} has flavour ${flavour} now.`)
            }}
          />
        </FormGroup>
        <ColourChoice
          value={colour ?? freeColour([])}
          onChange={colour => void change({ colour }, `${cluster.name} is shown in ${colour} now.`)}
        />
      </div>
      {failure === null ? null : <FailureCallout title="The settings were not changed" failure={failure} />}
    </section>
  )
}

/** The node labels of each role; a node has a role if any of its labels matches. */
function RoleSettings({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { busy, failure, change } = useChange(cluster.name)
  const [rules, setRules] = useState<RoleLabelRules>(cluster.roleLabels)
  const id = useId()
  const changed = !isSameJson(rules, cluster.roleLabels)
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>Node labels and roles</h2>
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
          onClick={() => void change({ roleLabels: rules }, `The roles of ${cluster.name} come from these labels now.`)}
        />
        {changed ? <Button variant="minimal" text="Reset" onClick={() => setRules(cluster.roleLabels)} /> : null}
      </div>
      {failure === null ? null : <FailureCallout title="The labels were not changed" failure={failure} />}
    </section>
  )
}

/** Maintenance by roles of a cluster: how nodes are emptied, how Lockkeeper reaches Ceph, which Juju has the machines. */
function RoleMaintenanceSettingsForm({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { busy, failure, change } = useChange(cluster.name)
  const [settings, setSettings] = useState(cluster.roleMaintenance)
  const [draft, setDraft] = useState(() => draftOf(cluster.roleMaintenance.juju))
  const id = useId()
  const read = jujuOf(draft)
  const next = { ...settings, juju: read.ok ? read.juju : null }
  const changed = !read.ok || !isSameJson(next, cluster.roleMaintenance)
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
          Lockkeeper reaches MicroCeph over Juju: without a controller, it cannot maintain storage nodes.
        </p>
      ) : null}
      <div className="row buttons">
        <Button
          text="Save"
          disabled={!changed || !read.ok}
          loading={busy}
          onClick={() => void change({ roleMaintenance: next }, `New plans for ${cluster.name} use these settings.`)}
        />
        {!read.ok ? (
          <span className="quiet">{read.missing}</span>
        ) : changed ? (
          <span className="quiet">Not saved yet.</span>
        ) : null}
      </div>
      {failure === null ? null : <FailureCallout title="The settings were not changed" failure={failure} />}
    </section>
  )
}

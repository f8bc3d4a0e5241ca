import { Button, FormGroup, InputGroup, NonIdealState } from '@blueprintjs/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import { removeCluster } from '../../bridge/cluster-edits.ts'
import { useClusters } from '../../stores/clusters.ts'
import { goTo } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'
import { ForeignEndpoints } from '../../ui/clusters/foreign-endpoints.tsx'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { later } from '../../ui/later.tsx'
import { DefinitionsCard } from '../../ui/maintenance-api/definitions-card.tsx'
import { slots } from '../../ui/slots.ts'
import { useChange } from '../../ui/use-change.ts'
import { AccessSettings } from './access-settings.tsx'
import { GeneralSettings } from './general-settings.tsx'
import { LimitSettings } from './limit-settings.tsx'
import { MaintenanceApiSettingsForm } from './maintenance-api-settings.tsx'
import { RoleLabelSettings, RoleMaintenanceSettingsForm } from './role-settings.tsx'
import { draftOfSettings, editSettings, pendingChange, type SettingsEdits, useSettingsEdits } from './settings-draft.ts'
import '../../ui/settings.css'
import '../../ui/clusters/clusters.css'

/** From the wing; null if it is left out. */
const { loadSignalSettings } = slots()
const SignalSettings = loadSignalSettings === null ? null : later(loadSignalSettings)

const NO_EDITS: SettingsEdits = {}

/** Settings of one cloud on this console: an index, the parts, and one Save for all of them. */
export function SettingsScreen({ cluster: name }: { readonly cluster: string }): ReactNode {
  const cluster = useClusters(store => (store.list.kind === 'listed' ? store.list.byName.get(name) : undefined))
  if (cluster === undefined) {
    return <NonIdealState title={`No cloud named ${name} is registered`} description="Choose one on the left." />
  }
  return <SettingsOf cluster={cluster} />
}

function SettingsOf({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const edits = useSettingsEdits(store => store.byCloud.get(cluster.name) ?? NO_EDITS)
  const draft = draftOfSettings(cluster, edits)
  const onEdit = (more: SettingsEdits) => editSettings(cluster.name, more)
  const part = { cluster, draft, onEdit }
  return (
    <div className="set">
      <div className="set-body stack space scrolls">
        <SettingsIndex cluster={cluster} />
        <div className="set-parts">
          <h1>Settings of {cluster.name}</h1>
          <p className="quiet">This console keeps them. They change nothing in the cloud.</p>
          <GeneralSettings {...part} />
          <AccessSettings {...part} />
          {cluster.cloud === null ? null : (
            <ForeignEndpoints key={JSON.stringify(cluster.cloud)} cluster={cluster.name} />
          )}
          <RoleLabelSettings {...part} />
          <RoleMaintenanceSettingsForm {...part} />
          <LimitSettings {...part} />
          {draft.flavour === 'mosk' ? <MaintenanceApiSettingsForm {...part} /> : null}
          {cluster.flavour === 'mosk' ? <DefinitionsCard cluster={cluster.name} /> : null}
          {SignalSettings === null ? null : (
            <div id="set-integrations">
              <SignalSettings cluster={cluster} />
            </div>
          )}
          <RemoveCluster cluster={cluster} />
        </div>
      </div>
      <SaveBar {...part} />
    </div>
  )
}

/** The parts of the page, in order; a press scrolls there and moves the focus. */
function SettingsIndex({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const parts = [
    ['General', 'set-general'],
    ['Access', 'set-access'],
    ...(cluster.cloud === null ? [] : [['Tokens', 'set-tokens'] as const]),
    ['Roles', 'set-roles'],
    ['Maintenance by roles', 'set-by-roles'],
    ['Limits', 'set-limits'],
    ...(cluster.flavour === 'mosk' ? [['Node maintenance API', 'set-api'] as const] : []),
    ...(SignalSettings === null ? [] : [['Integrations', 'set-integrations'] as const]),
    ['Remove', 'set-remove'],
  ] as const
  return (
    <nav className="set-index column" aria-label="Settings">
      {parts.map(([label, id]) => (
        <button
          key={id}
          type="button"
          onClick={() => {
            const part = document.getElementById(id)
            part?.scrollIntoView({ block: 'start' })
            part?.querySelector<HTMLElement>('input, select, button, textarea')?.focus({ preventScroll: true })
          }}
        >
          {label}
        </button>
      ))}
    </nav>
  )
}

interface PartProps {
  readonly cluster: Cluster
  readonly draft: ReturnType<typeof draftOfSettings>
}

/** The one Save: names the parts that differ, and what is missing. Hidden while nothing differs. */
function SaveBar({ cluster, draft }: PartProps): ReactNode {
  const { busy, failure, change } = useChange(cluster.name)
  const pending = pendingChange(cluster, draft)
  const isSaved = pending.parts.length === 0
  // Main's answer arrives as the changed cluster: then nothing is left to keep over later changes of others.
  useEffect(() => {
    if (isSaved) editSettings(cluster.name, null)
  }, [isSaved, cluster.name])
  if (isSaved) return null
  return (
    <section className="set-save" aria-label="Changes that are not saved">
      {failure === null ? null : <FailureCallout title="The settings were not changed" failure={failure} />}
      <div className="row buttons">
        <span className="grow" role="status">
          Not saved: {listed(pending.parts)}.{' '}
          {pending.missing === null ? null : <span className="caution">{pending.missing}</span>}
        </span>
        <Button text="Reset" disabled={busy} onClick={() => editSettings(cluster.name, null)} />
        <Button
          intent="primary"
          text="Save"
          disabled={pending.missing !== null}
          loading={busy}
          onClick={() => void change(pending.change, `The settings of ${cluster.name} are saved. New plans use them.`)}
        />
      </div>
    </section>
  )
}

/** Removes a cloud from this console, once its name is typed. Its runs stay in the journal. */
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
    <section id="set-remove" className="panel" aria-labelledby={id}>
      <h2 id={id}>Remove</h2>
      <p>Removes {cluster.name} from this console. The cloud, its files and its history stay.</p>
      <div className="row buttons set-remove">
        <FormGroup label={`Type ${cluster.name} to remove it`} labelFor={`${id}-typed`}>
          <InputGroup id={`${id}-typed`} value={typed} onValueChange={setTyped} spellCheck={false} autoComplete="off" />
        </FormGroup>
        <Button
          intent="danger"
          text={`Remove ${cluster.name}`}
          disabled={typed !== cluster.name}
          onClick={() => void remove()}
        />
      </div>
      {failure === null ? null : <FailureCallout title="The cloud was not removed" failure={failure} />}
    </section>
  )
}

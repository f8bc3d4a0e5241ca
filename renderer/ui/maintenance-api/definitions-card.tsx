import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { DefinitionStatus } from '../../../shared/domain/maintenance-api.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { installDefinitions, readDefinitions } from '../../bridge/definitions.ts'
import { showToast } from '../../stores/toasts.ts'
import { lastRead, useUpdates } from '../../stores/updates.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { Definition } from './definition.tsx'
import './cards.css'

interface Props {
  readonly cluster: string
}

/** The six kinds of the node maintenance API on a cluster: present, missing, or the cluster's own. */
export function DefinitionsCard({ cluster }: Props): ReactNode {
  useEffect(() => void readDefinitions(cluster), [cluster])
  const asked = useUpdates(store => store.definitions.get(cluster))
  const [installing, setInstalling] = useState(false)
  const known = lastRead(asked)
  const missing = known?.filter(({ state }) => state === 'missing') ?? []
  return (
    <section className="panel" aria-labelledby="upd-definitions">
      <h2 id="upd-definitions">Definitions</h2>
      {asked?.kind === 'failed' ? (
        <FailureCallout
          title="The definitions cannot be read"
          failure={asked.failure}
          onRetry={() => void readDefinitions(cluster)}
        />
      ) : null}
      {known === null ? (
        asked?.kind === 'failed' ? null : (
          <p className="quiet">Reading…</p>
        )
      ) : (
        <>
          <p>
            {missing.length === 0
              ? `${cluster} has all six kinds of the node maintenance API.`
              : `${cluster} lacks ${counted(missing.length, 'kind')} of the node maintenance API. Without them Lockkeeper can neither run nor see updates.`}
          </p>
          <ul className="upd-definitions">
            {known.map(definition => (
              <Definition key={definition.name} definition={definition} />
            ))}
          </ul>
          {missing.length === 0 ? null : <Button text="Install definitions…" onClick={() => setInstalling(true)} />}
          <InstallDefinitions
            cluster={cluster}
            definitions={known}
            isOpen={installing}
            onClose={() => setInstalling(false)}
          />
        </>
      )}
    </section>
  )
}

interface InstallDefinitionsProps {
  readonly cluster: string
  readonly definitions: readonly DefinitionStatus[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Shows what would be created, what exists and what differs, before an installation. */
function InstallDefinitions({ cluster, definitions, isOpen, onClose }: InstallDefinitionsProps): ReactNode {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const missing = definitions.filter(({ state }) => state === 'missing')
  const there = definitions.filter(({ state }) => state !== 'missing')
  const install = async () => {
    setBusy(true)
    const answer = await installDefinitions(cluster)
    setBusy(false)
    setFailure(answer.ok ? null : answer.failure)
    if (!answer.ok) return
    showToast({ tone: 'good', text: `${cluster} has the definitions of the node maintenance API.` })
    onClose()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      onOpened={() => cancel.current?.focus()}
      title={`Install definitions on ${cluster}`}
    >
      <DialogBody>
        <p>
          <b>Created</b> (custom resource definitions, for the whole cloud):
        </p>
        <ul className="upd-definitions">
          {missing.map(({ name, kind }) => (
            <li key={name}>
              <b>+ {kind}</b> <span className="mono">{name}</span>
            </li>
          ))}
        </ul>
        {there.length === 0 ? null : (
          <>
            <p>
              <b>Unchanged</b>, also where they differ:
            </p>
            <ul className="upd-definitions">
              {there.map(definition => (
                <Definition key={definition.name} definition={definition} />
              ))}
            </ul>
          </>
        )}
        {failure === null ? null : <FailureCallout title="The definitions were not installed" failure={failure} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button ref={cancel} text="Cancel" onClick={onClose} />
            <Button
              intent="primary"
              text={`Install ${counted(missing.length, 'definition')} on ${cluster}`}
              disabled={missing.length === 0}
              loading={busy}
              onClick={() => void install()}
            />
          </>
        }
      />
    </Dialog>
  )
}

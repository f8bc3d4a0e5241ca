import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useRef, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { DefinitionStatus } from '../../../shared/domain/maintenance-api.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { installDefinitions } from '../../bridge/definitions.ts'
import { showToast } from '../../stores/toasts.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { Definition } from './definition.tsx'

interface Props {
  readonly cluster: string
  readonly definitions: readonly DefinitionStatus[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Shows what would be created, what is there already and what differs, before anything is installed. */
export function InstallDefinitions({ cluster, definitions, isOpen, onClose }: Props): ReactNode {
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
          <b>Created</b> (custom resource definitions, for the whole cluster):
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
              <b>Left as they are</b>, also where they differ:
            </p>
            <ul className="upd-definitions">
              {there.map(definition => (
                <Definition key={definition.name} definition={definition} />
              ))}
            </ul>
          </>
        )}
        {failure === null ? null : <FailureCallout title="They were not installed" failure={failure} />}
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

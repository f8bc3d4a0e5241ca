import { Button, Callout, Dialog, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import type { Envelope, ForeignEndpoint } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { agreeToEndpoints, foreignEndpoints } from '../../bridge/cluster-edits.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { foreignWords } from './foreign-endpoint-words.ts'

/**
 * Addresses of the cloud's catalogue beside Keystone's host that would get tokens, and the only place to agree to that
 * (docs/decisions/0024). Before that no token goes there.
 */
export function ForeignEndpoints({ cluster }: { readonly cluster: string }): ReactNode {
  const [read, setRead] = useState<Envelope<readonly ForeignEndpoint[]> | null>(null)
  const [asking, setAsking] = useState(false)
  const id = useId()
  const load = useCallback(async () => setRead(await foreignEndpoints(cluster)), [cluster])
  useEffect(() => void load(), [load])
  const open = read?.ok ? read.value.filter(({ agreed }) => !agreed) : []
  return (
    <section id="set-tokens" className="panel" aria-labelledby={id}>
      <h2 id={id}>Tokens</h2>
      {read === null ? <Spinner size={20} aria-label="Reading the catalogue of the cloud" /> : null}
      {read?.ok === false ? (
        <FailureCallout
          title="The catalogue of the cloud cannot be read"
          failure={read.failure}
          onRetry={() => void load()}
        />
      ) : null}
      {read?.ok && read.value.length === 0 ? <p className="quiet">Tokens go only to Keystone's own host.</p> : null}
      {read?.ok && read.value.length > open.length ? (
        <>
          <p>You agreed that tokens go to:</p>
          <EndpointList endpoints={read.value.filter(({ agreed }) => agreed)} />
        </>
      ) : null}
      {open.length === 0 ? null : (
        <Callout intent="warning" title="Lockkeeper sends nothing to these addresses until you agree">
          <EndpointList endpoints={open} />
          <Button text="Agree that tokens go there…" onClick={() => setAsking(true)} />
        </Callout>
      )}
      <AgreeDialog
        cluster={cluster}
        endpoints={open}
        isOpen={asking && open.length > 0}
        onClose={() => setAsking(false)}
        onAgreed={load}
      />
    </section>
  )
}

function EndpointList({ endpoints }: { readonly endpoints: readonly ForeignEndpoint[] }): ReactNode {
  return (
    <ul>
      {endpoints.map(endpoint => (
        <li key={`${endpoint.service} ${endpoint.origin}`}>
          <b>{endpoint.service}</b> at <code>{endpoint.origin}</code>. {foreignWords(endpoint)}
        </li>
      ))}
    </ul>
  )
}

interface DialogProps {
  readonly cluster: string
  readonly endpoints: readonly ForeignEndpoint[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onAgreed: () => Promise<void>
}

/** Asks before a token may go to another host. The operator agrees to exactly what is shown; "Cancel" has the focus. */
function AgreeDialog({ cluster, endpoints, isOpen, onClose, onAgreed }: DialogProps): ReactNode {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const close = () => {
    // A sent request cannot be cancelled: the dialog shows its answer.
    if (busy) return
    setFailure(null)
    onClose()
  }
  const agree = async () => {
    setBusy(true)
    const answer = await agreeToEndpoints({
      name: cluster,
      endpoints: endpoints.map(({ service, origin, keystone }) => ({ service, origin, keystone })),
    })
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer.failure)
      return
    }
    close()
    await onAgreed()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      onOpened={() => cancel.current?.focus()}
      canOutsideClickClose={false}
      title={`Send tokens of ${cluster} to ${counted(endpoints.length, 'other address', 'other addresses')}?`}
    >
      <DialogBody>
        <EndpointList endpoints={endpoints} />
        <p>
          Every request to these addresses carries your token. A server there, or anyone who reads unencrypted traffic,
          can act as you in this cloud until the token expires. Agree only if these are your services. Any other address
          asks again.
        </p>
        {failure === null ? null : <FailureCallout title="The agreement was not saved" failure={failure} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button ref={cancel} text="Cancel" disabled={busy} onClick={close} />
            <Button intent="danger" text="Agree to exactly these" loading={busy} onClick={() => void agree()} />
          </>
        }
      />
    </Dialog>
  )
}

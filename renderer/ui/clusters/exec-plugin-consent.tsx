import { Button, Callout } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { ContextOffer } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { consentToPlugin } from '../../bridge/cluster-edits.ts'

interface Props {
  readonly paths: readonly string[]
  readonly context: ContextOffer
  readonly onConsented: () => void
}

/** A command of the kubeconfig, shown in full; it runs only after the operator agreed to exactly this one. */
export function ExecPluginConsent({ paths, context, onConsented }: Props): ReactNode {
  const [failure, setFailure] = useState<Failure | null>(null)
  const plugin = context.execPlugin
  if (plugin === null) return null
  const agree = async () => {
    const answer = await consentToPlugin({
      paths: [...paths],
      context: context.name,
      fingerprint: plugin.fingerprint,
    })
    if (answer.ok) onConsented()
    else setFailure(answer.failure)
  }
  return (
    <Callout
      className="addc-plugin"
      intent={plugin.consented ? 'none' : 'warning'}
      title={plugin.consented ? 'This command runs to log in' : 'This context runs a command on this computer'}
    >
      <pre className="quoted">{[plugin.command, ...plugin.args].join(' ')}</pre>
      <p>
        From {plugin.file}, for the user {plugin.user}
        {plugin.envNames.length === 0 ? '' : `, with ${plugin.envNames.join(', ')} set`}. It runs as you.
      </p>
      {failure === null ? null : <p role="alert">{failure.message}</p>}
      {plugin.consented ? (
        <span className="quiet">You agreed to exactly this command.</span>
      ) : (
        <Button text="Agree to run exactly this command" onClick={() => void agree()} />
      )}
    </Callout>
  )
}

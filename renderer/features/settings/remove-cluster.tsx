import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { removeCluster } from '../../bridge/cluster-edits.ts'
import { goTo } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'

/** Takes a cluster off this console, once its name was typed. Its runs stay in the journal. */
export function RemoveCluster({ cluster }: { readonly cluster: Cluster }): ReactNode {
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
      text: `${cluster.name} is no longer registered here. Nothing in it was touched; its runs stay in the journal.`,
    })
    goTo({ kind: 'clusters' })
  }
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>Remove</h2>
      <p>
        Takes {cluster.name} off this console. Nothing in the cluster is touched, its files stay, and the history of its
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
      {failure === null ? null : <FailureCallout title="It was not removed" failure={failure} />}
    </section>
  )
}

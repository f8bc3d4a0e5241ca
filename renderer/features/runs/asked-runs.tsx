import { Button } from '@blueprintjs/core'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { AskedRun, AskedRuns, Envelope } from '../../../shared/contract/index.ts'
import { askedRunWords, askedSubject, unreadAsked } from '../../../shared/words/runners.ts'
import { askedOfRunners, onRunnersChanged, withdrawRun } from '../../bridge/runners.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { useRuns } from '../../stores/runs.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { Said } from '../../ui/said.tsx'
import { When } from '../../ui/when.tsx'

/**
 * Requests to runners for this cluster that are not runs here: what each waits for, and a button to withdraw it. Empty without
 * requests.
 */
export function AskedOfRunners({ cluster }: { readonly cluster: string }): ReactNode {
  const [answer, setAnswer] = useState<Envelope<AskedRuns> | null>(null)
  // A started request becomes a run here, and leaves the list of requests.
  const runs = useRuns(store => store.list?.map(run => `${run.id} ${run.state} ${run.runner?.name ?? ''}`).join() ?? '')
  const look = useCallback(() => void askedOfRunners(cluster).then(setAnswer), [cluster])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new or changed run is a reason to read again.
  useEffect(look, [look, runs])
  useEffect(() => onRunnersChanged(look), [look])
  if (answer === null) return null
  if (!answer.ok) {
    return (
      <p className="quiet small run-asked-unread">
        Requests to runners could not be read. <Said text={answer.failure.message} />
      </p>
    )
  }
  const open = answer.value.runs.filter(({ over }) => !over)
  const { unread } = answer.value
  if (open.length === 0 && unread.length === 0) return null
  return (
    <section className="run-asked stack" aria-label="Requested, not started">
      {open.map(run => (
        <AskedRow key={`${run.by}/${run.namespace}/${run.object}`} run={run} onWithdrawn={look} />
      ))}
      {unread.map(each => (
        <p key={`${each.by}/${each.namespace}`} className="caution small">
          <Said text={unreadAsked(each)} />
        </p>
      ))}
    </section>
  )
}

function AskedRow({ run, onWithdrawn }: { readonly run: AskedRun; readonly onWithdrawn: () => void }): ReactNode {
  const [asking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const cut = useConnection(whyCutOff)
  const { object, message, confirmedBy, askedAt, runId } = run
  return (
    <div className="run-asked-row">
      <span className="run-list-head spread">
        <b>{askedSubject(run)}</b>
        <span>{askedRunWords(run)}</span>
      </span>
      <span className="quiet small breaks">
        <span className="mono">{object}</span>, <When at={askedAt} />
        {confirmedBy === null ? '' : ` by ${confirmedBy}`}
      </span>
      <span className="small breaks">
        <Said text={message} />
      </span>
      {runId !== null ? (
        <span className="quiet small">
          Started in the cluster; this console does not read the journal of its runner.
        </span>
      ) : (
        <span>
          <Button
            size="small"
            text="Withdraw…"
            aria-label={`Withdraw ${object}`}
            disabled={cut !== null}
            onClick={() => setAsking(true)}
          />
        </span>
      )}
      <ReasonDialog
        isOpen={asking}
        onClose={() => {
          setAsking(false)
          onWithdrawn()
        }}
        title={`Withdraw ${object}`}
        reason={reason}
        onReason={setReason}
        confirm="Withdraw"
        isReady={cut === null}
        failureTitle="The request was not withdrawn"
        act={why => withdrawRun(run, why)}
      >
        <p>
          {run.handedOver === null
            ? `${askedSubject(run)} has not started. Its runner will never start it.`
            : `${askedSubject(run)}: no runner has it, and none will take it. Resume it at the console that handed it over.`}{' '}
          The cluster keeps the reason with its object.
        </p>
      </ReasonDialog>
    </div>
  )
}

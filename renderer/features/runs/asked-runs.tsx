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

/** What was asked of runners for this cluster and is no run here: what each waits for, and the way to withdraw it. Nothing where nothing was. */
export function AskedOfRunners({ cluster }: { readonly cluster: string }): ReactNode {
  const [answer, setAnswer] = useState<Envelope<AskedRuns> | null>(null)
  // What is begun becomes a run, also one that was here before: then one less is asked for.
  const runs = useRuns(store => store.list?.map(run => `${run.id} ${run.state} ${run.runner?.name ?? ''}`).join() ?? '')
  const look = useCallback(() => void askedOfRunners(cluster).then(setAnswer), [cluster])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run, or one that moved on, is a reason to look again.
  useEffect(look, [look, runs])
  useEffect(() => onRunnersChanged(look), [look])
  if (answer === null) return null
  if (!answer.ok) {
    return (
      <p className="quiet small run-asked-unread">
        What was asked of runners could not be read. <Said text={answer.failure.message} />
      </p>
    )
  }
  const open = answer.value.runs.filter(({ over }) => !over)
  const { unread } = answer.value
  if (open.length === 0 && unread.length === 0) return null
  return (
    <section className="run-asked" aria-label="Asked for, not begun">
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
        <span className="quiet small">Begun in the cluster; the journal of its runner is not read here.</span>
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
        failureTitle="It was not withdrawn"
        act={why => withdrawRun(run, why)}
      >
        <p>
          {run.handedOver === null
            ? `${askedSubject(run)} was asked for and is not begun. Its runner never begins it then.`
            : `${askedSubject(run)}: no runner has taken it over, and none does then. Resume it at the console that handed it over.`}{' '}
          The reason is kept with its object in the cluster.
        </p>
      </ReasonDialog>
    </div>
  )
}

import { Button, Callout, InputGroup } from '@blueprintjs/core'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import type { CampaignDetail, Envelope } from '../../../../shared/contract/index.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import {
  abortQuestion,
  CAMPAIGN_CONTROL_WORDS,
  RESUME_RUNS_FIRST,
} from '../../../../shared/wings/runner/words/campaigns.ts'
import { useConnection, whyCutOff } from '../../../stores/connection.ts'
import { FailureCallout } from '../../../ui/failure-callout.tsx'
import { ReasonDialog } from '../../../ui/reason-dialog.tsx'
import { controlCampaign } from '../bridge/campaigns.ts'
import { abortOf } from './batch-status.ts'

type Control = keyof typeof CAMPAIGN_CONTROL_WORDS

const REASON = 'Reason, kept in the cluster with your name'

/** Pause, resume and abort of a campaign: the effect of each, and the runner's reply. */
export function CampaignActs({ campaign }: { readonly campaign: CampaignDetail }): ReactNode {
  const { by, namespace, name, hold, endedAt } = campaign
  const id = useId()
  const cut = useConnection(whyCutOff)
  const [reason, setReason] = useState('')
  const [asking, setAsking] = useState<Control | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [aborting, setAborting] = useState(false)
  if (endedAt !== null) return null

  const sendControl = async (control: Control, why: string): Promise<Envelope<unknown>> => {
    setAsking(control)
    setSaid(null)
    setFailure(null)
    const answer = await controlCampaign({ by, namespace }, { name, control, reason: why.trim() })
    setAsking(null)
    if (answer.ok) {
      setSaid(answer.value.message)
      setReason('')
    }
    return answer
  }
  const request = async (control: Control) => {
    const answer = await sendControl(control, reason)
    if (!answer.ok) setFailure(answer.failure)
  }
  const isAborted = hold?.kind === 'aborted'
  const offered: readonly Control[] = isAborted ? [] : hold === null ? ['pause', 'abort'] : ['resume', 'abort']
  return (
    <section className="panel camp-acts" aria-label="Actions">
      {offered.length === 0 ? (
        <p>It is stopped: nothing more starts. Running runs continue to their end.</p>
      ) : (
        <label className="run-field" htmlFor={id}>
          <span>{REASON}</span>
          <InputGroup id={id} value={reason} onValueChange={setReason} />
        </label>
      )}
      <ul className="plain-list">
        {offered.map(control => (
          <li key={control} className="row">
            <Button
              text={BUTTONS[control]}
              intent={control === 'resume' ? 'primary' : 'none'}
              disabled={cut !== null || asking !== null}
              loading={asking === control}
              aria-describedby={`${id}-${control}`}
              onClick={() => (control === 'abort' ? setAborting(true) : void request(control))}
            />
            <span className="grow" id={`${id}-${control}`}>
              {CAMPAIGN_CONTROL_WORDS[control]}
              {control === 'resume' && hold?.kind === 'stopped' ? ` ${RESUME_RUNS_FIRST}` : ''}
            </span>
          </li>
        ))}
      </ul>
      <div aria-live="polite">
        {asking === null || aborting ? null : <p className="quiet">Requested; the runner answers at its next check.</p>}
        {said === null ? null : (
          <Callout compact intent="success" title="The runner accepts it">
            {said}
          </Callout>
        )}
      </div>
      {failure === null ? null : <FailureCallout title={titleOf(failure)} failure={failure} />}
      <AbortDialog
        campaign={campaign}
        isOpen={aborting}
        onClose={() => setAborting(false)}
        reason={reason}
        onReason={setReason}
        isReady={cut === null}
        act={why => sendControl('abort', why)}
      />
    </section>
  )
}

const BUTTONS: Readonly<Record<Control, string>> = { pause: 'Pause', resume: 'Resume', abort: 'Stop…' }

interface AbortDialogProps
  extends Pick<ComponentProps<typeof ReasonDialog>, 'isOpen' | 'onClose' | 'reason' | 'onReason' | 'isReady' | 'act'> {
  readonly campaign: CampaignDetail
}

function AbortDialog({ campaign, isOpen, onClose, reason, onReason, isReady, act }: AbortDialogProps): ReactNode {
  return (
    <ReasonDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Stop campaign ${campaign.name}`}
      reason={reason}
      onReason={onReason}
      reasonLabel={REASON}
      confirm="Stop the campaign"
      isReady={isReady}
      failureTitle="The campaign was not stopped"
      act={act}
    >
      <p>{abortQuestion(campaign.name)}</p>
      <AbortWords campaign={campaign} />
    </ReasonDialog>
  )
}

/** What an abort ends and what it does not, by name. */
function AbortWords({ campaign }: { readonly campaign: CampaignDetail }): ReactNode {
  const { ends, goOn, unknown } = abortOf(campaign)
  return (
    <dl className="facts camp-abort">
      <dt>Will not start</dt>
      <dd>{ends.length === 0 ? 'no known run' : someOf(ends)}</dd>
      <dt>Keep running</dt>
      <dd>{goOn.length === 0 ? 'no run is running' : `${someOf(goOn)}: to the end, or until you stop each`}</dd>
      {unknown.length === 0 ? null : (
        <>
          <dt>Unknown</dt>
          <dd>{someOf(unknown)}</dd>
        </>
      )}
    </dl>
  )
}

/** The title of a failure: it says whether the request was sent. */
function titleOf({ code }: Failure): string {
  if (code === 'conflict') return 'The runner refuses it'
  return code === 'timed-out' || code === 'unreadable'
    ? 'The request was sent, its result is unknown'
    : 'The request was not sent'
}

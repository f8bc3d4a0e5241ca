import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { InstanceChoice, needsReason } from '../../../shared/domain/instance-choice.ts'
import { instanceIdOf } from '../../../shared/domain/run-facts.ts'
import type { MigrationProgress } from '../../../shared/domain/run-progress.ts'
import { INSTANCE_CHOICE_LABELS, INSTANCE_CHOICE_WORDS } from '../../../shared/words/instance-choices.ts'
import { decideInstance } from '../../bridge/runs.ts'
import { useIsProduction } from '../../stores/clusters.ts'
import { useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../failure-callout.tsx'
import './runs.css'

interface Props {
  readonly runId: string
  readonly migration: MigrationProgress
}

type Decision =
  | { readonly kind: 'open' }
  | { readonly kind: 'chosen'; readonly choice: InstanceChoice }
  | { readonly kind: 'sent'; readonly choice: InstanceChoice; readonly moment: string }
  | { readonly kind: 'refused'; readonly failure: Failure }

/** Decisions about one moving instance while the others continue: a question if its move makes no progress, else a menu. */
export function InstanceDecision({ runId, migration }: Props): ReactNode {
  const { subject, name, asks, isCold } = migration
  const [decision, setDecision] = useState<Decision>({ kind: 'open' })
  const isReasonWanted = useIsProduction(useRuns(({ list }) => list?.find(({ id }) => id === runId)?.cluster ?? null))
  const moment = momentOf(migration)
  const decide = async (choice: InstanceChoice, reason: string) => {
    setDecision({ kind: 'sent', choice, moment })
    const answer = await decideInstance({ runId, instanceId: instanceIdOf(subject), choice, reason })
    if (!answer.ok) setDecision({ kind: 'refused', failure: answer.failure })
  }
  const choose = (choice: InstanceChoice) => {
    if (needsReason(choice)) setDecision({ kind: 'chosen', choice })
    else void decide(choice, '')
  }
  // A sent decision may not help, so another is possible once the run has it.
  if (decision.kind === 'sent' && decision.moment === moment) {
    return (
      <p className="run-decision" role="status">
        Decided for {name}: {INSTANCE_CHOICE_LABELS[decision.choice].toLowerCase()}. The run shows it here once it has
        it.
      </p>
    )
  }
  if (decision.kind === 'chosen') {
    return (
      <Reason
        name={name}
        choice={decision.choice}
        isReasonWanted={isReasonWanted}
        onLeave={() => setDecision({ kind: 'open' })}
        onSay={reason => void decide(decision.choice, reason)}
      />
    )
  }
  const choices = asks?.choices ?? CHOICES.filter(choice => choice !== 'force-complete' || !isCold)
  return (
    <div className="run-decision">
      {asks === null ? (
        <HTMLSelect
          minimal
          value=""
          aria-label={`Decide about ${name}`}
          options={[
            { value: '', label: 'Decide…', disabled: true },
            ...choices.map(choice => ({ value: choice, label: INSTANCE_CHOICE_LABELS[choice] })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            const chosen = InstanceChoice.safeParse(value)
            if (chosen.success) choose(chosen.data)
          }}
        />
      ) : (
        <div role="alert">
          <p>
            <b>{name} waits for you:</b> {asks.cause}
          </p>
          <span className="row wrap">
            {choices.map(choice => (
              <Button
                key={choice}
                size="small"
                title={INSTANCE_CHOICE_WORDS[choice]}
                text={`${INSTANCE_CHOICE_LABELS[choice]}${needsReason(choice) ? '…' : ''}`}
                onClick={() => choose(choice)}
              />
            ))}
          </span>
        </div>
      )}
      {decision.kind === 'refused' ? (
        <FailureCallout title="The decision was not taken" failure={decision.failure} />
      ) : null}
    </div>
  )
}

/** The state of an instance between decisions: it changes when the run has one, asks again, or tries again. */
function momentOf({ asks, decidedAt, attempt }: MigrationProgress): string {
  return [asks?.since ?? '', decidedAt ?? '', attempt].join(' ')
}

/** The choices for a moving instance without a question. */
const CHOICES: readonly InstanceChoice[] = InstanceChoice.options.filter(
  choice => choice !== 'wait' && choice !== 'skip',
)

interface ReasonProps {
  readonly name: string
  readonly choice: InstanceChoice
  readonly isReasonWanted: boolean
  readonly onLeave: () => void
  readonly onSay: (reason: string) => void
}

/** Says what a choice does to the instance; a reason is optional unless the cloud wants one. */
function Reason({ name, choice, isReasonWanted, onLeave, onSay }: ReasonProps): ReactNode {
  const [reason, setReason] = useState('')
  const isReady = !isReasonWanted || reason.trim() !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) onSay(reason.trim())
  }
  return (
    <form
      className="run-decision run-reason row wrap"
      onSubmit={submit}
      onKeyDown={({ key }) => key === 'Escape' && onLeave()}
    >
      <p>
        <b>{name}:</b> {INSTANCE_CHOICE_WORDS[choice]}.
      </p>
      <InputGroup
        autoFocus
        size="small"
        placeholder={isReasonWanted ? 'Why?' : 'Why? (optional)'}
        aria-label={`Why: ${INSTANCE_CHOICE_LABELS[choice]}`}
        value={reason}
        onValueChange={setReason}
      />
      <Button size="small" text="Not now" onClick={onLeave} />
      <Button size="small" type="submit" intent="danger" disabled={!isReady} text={INSTANCE_CHOICE_LABELS[choice]} />
    </form>
  )
}

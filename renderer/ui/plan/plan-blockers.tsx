import { Button, InputGroup, Tag } from '@blueprintjs/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { CheckedPlan, OverrideFlag } from '../../../shared/domain/plan.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { blockersInOrder, type FoundBlocker } from './plan-order.ts'
import { OVERRIDE_WORDS } from './plan-words.ts'

interface Props {
  readonly checked: CheckedPlan
  readonly onChoose: (change: PlanChoices) => void
}

/** What stands in the way: why, what to do about it, and the override that would lift it, if any may. */
export function PlanBlockers({ checked, onChoose }: Props): ReactNode {
  const found = blockersInOrder(checked)
  const { overrides } = checked.plan.options
  if (found.length === 0 && overrides.length === 0) return null
  const open = found.filter(({ liftedBy }) => liftedBy === null).length
  const give = (flag: OverrideFlag, reason: string) =>
    onChoose({ overrides: [...overrides.filter(given => given.flag !== flag), { flag, reason }] })
  return (
    <section className="plan-section" aria-labelledby="plan-blockers">
      <h3 id="plan-blockers">
        In the way
        <span className="quiet">{open === 0 ? 'all overridden' : counted(open, 'blocker')}</span>
      </h3>
      {overrides.map(({ flag, reason }) => (
        <p key={flag} className="row">
          <Tag intent="warning">overridden: {flag}</Tag> {reason}
          <Button
            size="small"
            variant="minimal"
            text="Take back"
            aria-label={`Take back the override ${flag}`}
            onClick={() => onChoose({ overrides: overrides.filter(given => given.flag !== flag) })}
          />
        </p>
      ))}
      <ul className="plan-blockers">
        {found.map(each => (
          <BlockerRow
            key={`${each.stepId} ${each.blocker.code} ${each.blocker.message}`}
            found={each}
            onGive={give}
            onLoseData={() => onChoose({ deleteEmptyDirData: true })}
          />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly found: FoundBlocker
  readonly onGive: (flag: OverrideFlag, reason: string) => void
  readonly onLoseData: () => void
}

/** The blocker that a choice lifts, not an override (main/procedures/steps/general/drain-choices.ts). */
const LIFTED_BY_CHOICE = 'pod-with-emptydir'

function BlockerRow({ found, onGive, onLoseData }: RowProps): ReactNode {
  const { blocker, liftedBy, title } = found
  const { override } = blocker
  return (
    <li className={liftedBy === null ? 'plan-blocker' : 'plan-blocker plan-blocker-lifted'}>
      <div className="grow breaks">
        <p>
          <b>{blocker.message}</b>
        </p>
        <p>{blocker.remedy}</p>
        <p className="quiet">Check: {title}</p>
      </div>
      {liftedBy !== null ? (
        <Tag intent="warning">overridden: {liftedBy}</Tag>
      ) : blocker.code === LIFTED_BY_CHOICE ? (
        <Button size="small" text="Choose: delete emptyDir data" onClick={onLoseData} />
      ) : override.kind === 'never' ? (
        <p className="plan-never quiet">Cannot be overridden: {override.why}</p>
      ) : (
        <OverrideForm flag={override.flag} onGive={onGive} />
      )}
    </li>
  )
}

interface FormProps {
  readonly flag: OverrideFlag
  readonly onGive: (flag: OverrideFlag, reason: string) => void
}

function OverrideForm({ flag, onGive }: FormProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  if (!isOpen) {
    return (
      <Button size="small" text={`Override (${flag})`} title={OVERRIDE_WORDS[flag]} onClick={() => setOpen(true)} />
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') onGive(flag, reason.trim())
  }
  return (
    <form className="plan-override" onSubmit={submit}>
      <p>{OVERRIDE_WORDS[flag]}. The reason is kept in the journal.</p>
      <InputGroup
        size="small"
        inputRef={input => input?.focus()}
        placeholder="Reason"
        aria-label={`Reason for the override ${flag}`}
        value={reason}
        onValueChange={setReason}
      />
      <div className="plan-override-buttons">
        <Button size="small" text="Not now" onClick={() => setOpen(false)} />
        <Button
          size="small"
          type="submit"
          intent="warning"
          text="Override and check again"
          disabled={reason.trim() === ''}
        />
      </div>
    </form>
  )
}

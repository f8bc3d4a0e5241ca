import { Button, InputGroup, Tag } from '@blueprintjs/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { blockersOf, type FoundBlocker, type InstanceEffect, instanceIn } from '../../../shared/domain/plan-effects.ts'
import type { OverrideFlag } from '../../../shared/domain/step-answers.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { Said } from '../said.tsx'
import { canMark, ModeChoice } from './plan-mode.tsx'
import { OVERRIDE_WORDS } from './plan-words.ts'

interface Props {
  readonly cluster: string
  readonly checked: CheckedPlan
  /** Instances of the plan: a blocker about one offers its migration mode. */
  readonly instances: readonly InstanceEffect[]
  /** Called after a change of an instance's mark, which makes another plan necessary. */
  readonly onMarked: () => void
  readonly onChoose: (change: PlanChoices) => void
}

/** What blocks the plan: why, what to do, and the override that applies, if any. */
export function PlanBlockers({ cluster, checked, instances, onMarked, onChoose }: Props): ReactNode {
  const found = blockersOf(checked)
  const { overrides } = checked.plan.options
  if (found.length === 0 && overrides.length === 0) return null
  const open = found.filter(({ liftedBy }) => liftedBy === null).length
  const give = (flag: OverrideFlag, reason: string) =>
    onChoose({ overrides: [...overrides.filter(given => given.flag !== flag), { flag, reason }] })
  return (
    <section className="plan-section" aria-labelledby="plan-blockers">
      <h3 id="plan-blockers">
        Blocked<span className="quiet">{open === 0 ? 'all overridden' : counted(open, 'blocker')}</span>
      </h3>
      {overrides.map(({ flag, reason }) => (
        <p key={flag} className="row">
          <Tag intent="warning">overridden: {flag}</Tag> {reason}
          <Button
            size="small"
            variant="minimal"
            text="Undo"
            aria-label={`Undo the override ${flag}`}
            onClick={() => onChoose({ overrides: overrides.filter(given => given.flag !== flag) })}
          />
        </p>
      ))}
      <ul className="plan-blockers">
        {found.map(each => (
          <BlockerRow
            key={`${each.stepId} ${each.blocker.code} ${each.blocker.message}`}
            found={each}
            cluster={cluster}
            instance={instanceIn(each.blocker.message, instances)}
            onMarked={onMarked}
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
  readonly cluster: string
  readonly instance: InstanceEffect | null
  readonly onMarked: () => void
  readonly onGive: (flag: OverrideFlag, reason: string) => void
  readonly onLoseData: () => void
}

/** The blocker that a choice removes, not an override (main/procedures/steps/general/drain-choices.ts). */
const LIFTED_BY_CHOICE = 'PodWithEmptyDir'

function BlockerRow({ found, cluster, instance, onMarked, onGive, onLoseData }: RowProps): ReactNode {
  const { blocker, liftedBy, title } = found
  const { override } = blocker
  return (
    <li className={liftedBy === null ? 'plan-blocker' : 'plan-blocker plan-blocker-lifted'}>
      <div className="grow breaks">
        <p>
          <b>
            <Said text={blocker.message} />
          </b>
        </p>
        <p>
          <Said text={blocker.remedy} />
        </p>
        <p className="quiet">
          Check: <Said text={title} />
        </p>
      </div>
      {instance === null || liftedBy !== null || !canMark(instance) ? null : (
        <ModeChoice cluster={cluster} id={instance.id} name={instance.name} onMarked={onMarked} />
      )}
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

export function OverrideForm({ flag, onGive }: FormProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  if (!isOpen) {
    return <Button size="small" text="Start anyway…" title={OVERRIDE_WORDS[flag]} onClick={() => setOpen(true)} />
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') onGive(flag, reason.trim())
  }
  return (
    <form className="plan-override" onSubmit={submit}>
      <p>{OVERRIDE_WORDS[flag]}. The journal keeps the reason.</p>
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
        <Button size="small" type="submit" intent="warning" text="Start anyway" disabled={reason.trim() === ''} />
      </div>
    </form>
  )
}

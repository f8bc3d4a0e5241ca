import { Button } from '@blueprintjs/core'
import { type ReactNode, useMemo } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import type { PlanEffects } from '../../../shared/domain/plan-effects.ts'
import type { OverrideFlag } from '../../../shared/domain/step-answers.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { checksHoldWords } from '../../../shared/words/plans.ts'
import { InstanceMark } from '../../ui/instance-mark.tsx'
import { AcceptRemedy, LIFTED_BY_CHOICE, ModeRemedy, modesThatLift, Remedy } from '../../ui/plan/plan-blockers.tsx'
import { type PlanStatus, type PlanVerdict, verdictOf } from '../../ui/plan/plan-words.ts'
import { Said } from '../../ui/said.tsx'
import { type GroupedBlocker, groupedBlockers } from './plan-facts.ts'

interface Props {
  readonly cluster: string
  readonly checked: CheckedPlan
  readonly effects: PlanEffects
  readonly status: PlanStatus
  /** Nodes of the order, which can be left out. */
  readonly ordered: ReadonlySet<string>
  readonly onLeaveOut: (nodes: readonly string[]) => void
  readonly onChoose: (change: PlanChoices) => void
  readonly onCheck: () => void
}

/** Whether the update may start: what blocks it with what you can do about it, or that all checks pass. */
export function UpdateBlockers(props: Props): ReactNode {
  const { checked, effects, status, onChoose } = props
  const groups = useMemo(() => groupedBlockers(checked, effects), [checked, effects])
  const { overrides } = checked.plan.options
  const give = (flag: OverrideFlag, reason: string) =>
    onChoose({ overrides: [...overrides.filter(given => given.flag !== flag), { flag, reason }] })
  const { tone, words } = headingOf(checked, groups.length, status)
  return (
    <section className="upd-verdict" data-tone={tone} aria-label="Whether it can start">
      <h2>
        {words}
        {groups.length > 0 ? null : <span className="quiet">{checksHoldWords(checked)}</span>}
      </h2>
      {groups.length === 0 ? null : (
        <ul className="plain-list">
          {groups.map(group => (
            <BlockerRow
              key={`${group.found.stepId} ${group.found.blocker.message}`}
              group={group}
              onGive={give}
              {...props}
            />
          ))}
        </ul>
      )}
      {overrides.map(({ flag, reason }) => (
        <p key={flag} className="row">
          <span className="grow">
            <b>Accepted by you:</b> {reason}
          </span>
          <Button
            size="small"
            text="Undo"
            aria-label="Undo what you accepted"
            onClick={() => onChoose({ overrides: overrides.filter(given => given.flag !== flag) })}
          />
        </p>
      ))}
    </section>
  )
}

/** The verdict of the plan; equal blockers of several nodes count once, as the list shows them. */
function headingOf(checked: CheckedPlan, groups: number, status: PlanStatus): PlanVerdict {
  if (groups === 0 && status !== 'made' && status !== 'failed') return { tone: 'open', words: 'Checking again' }
  const verdict = verdictOf(checked, groups > 0 ? 'made' : status)
  return verdict.tone === 'bad'
    ? { tone: 'bad', words: counted(groups, 'thing blocks this', 'things block this') }
    : verdict
}

interface RowProps extends Props {
  readonly group: GroupedBlocker
  readonly onGive: (flag: OverrideFlag, reason: string) => void
}

function BlockerRow({ group, cluster, ordered, onGive, onLeaveOut, onChoose, onCheck }: RowProps): ReactNode {
  const { found, nodes, instance } = group
  const { blocker, title } = found
  const { override } = blocker
  const named = nodes.flatMap(node => node ?? [])
  const [first] = named
  return (
    <li className="row wrap">
      <span className="mark-blocked">
        <InstanceMark kind="blocked" />
      </span>
      <b className="upd-blocked-node mono cut" title={listed(named)}>
        {named.length > 1 ? counted(named.length, 'node') : (first ?? cluster)}
      </b>
      <div className="grow breaks">
        <Said text={blocker.message} />
        <details className="small">
          <summary className="quiet">Why?</summary>
          <p>
            <Said text={blocker.remedy} />{' '}
            {override.kind === 'never' ? `It cannot start anyway: ${override.why}.` : null}
          </p>
          <p className="quiet">
            Check: <Said text={title} />
            {named.length > 1 ? ` (${listed(named)})` : null}
          </p>
        </details>
      </div>
      <span className="row wrap upd-remedies">
        {instance === null
          ? null
          : modesThatLift(instance).map(mode => (
              <ModeRemedy key={mode} cluster={cluster} instance={instance} mode={mode} onMarked={onCheck} />
            ))}
        {blocker.code === LIFTED_BY_CHOICE ? (
          <Remedy
            text="Delete its emptyDir data"
            cost="its files are lost"
            onClick={() => onChoose({ deleteEmptyDirData: true })}
          />
        ) : null}
        {override.kind === 'never' ? null : (
          <AcceptRemedy
            flag={override.flag}
            instance={instance}
            alike={instance === null ? [] : [instance.name]}
            place={first ?? cluster}
            onGive={onGive}
          />
        )}
        {named.length > 0 && named.every(node => ordered.has(node)) ? (
          <Button
            text={`Leave ${named.length > 1 ? `these ${named.length}` : first} out`}
            onClick={() => onLeaveOut(named)}
          />
        ) : null}
        {first === undefined ? <Button text="Check again" onClick={onCheck} /> : null}
      </span>
    </li>
  )
}

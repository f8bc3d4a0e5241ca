import { Button } from '@blueprintjs/core'
import { type ReactNode, useMemo } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { blockersOf, instanceOf, type PlanEffects } from '../../../shared/domain/plan-effects.ts'
import type { OverrideFlag } from '../../../shared/domain/step-answers.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { checksHoldWords } from '../../../shared/words/plans.ts'
import { InstanceMark } from '../../ui/instance-mark.tsx'
import { Accepted, BlockerRemedies, BlockerWhy, isSameRule } from '../../ui/plan/plan-blockers.tsx'
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
              alike={groups
                .filter(({ found }) => isSameRule(found.blocker.override, group.found.blocker.override))
                .map(({ instance }) => instance?.name ?? null)}
              onGive={give}
              {...props}
            />
          ))}
        </ul>
      )}
      {overrides.map(({ flag, reason }) => (
        <Accepted
          key={flag}
          place="its node"
          reason={reason}
          lifted={blockersOf(checked).filter(({ liftedBy }) => liftedBy === flag)}
          nameOf={({ blocker }) => instanceOf(blocker, effects.instances)?.name ?? null}
          onUndo={() => onChoose({ overrides: overrides.filter(given => given.flag !== flag) })}
        />
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
  readonly alike: readonly (string | null)[]
  readonly onGive: (flag: OverrideFlag, reason: string) => void
}

function BlockerRow({ group, alike, cluster, ordered, onGive, onLeaveOut, onChoose, onCheck }: RowProps): ReactNode {
  const { found, nodes, instance } = group
  const { blocker } = found
  const named = nodes.flatMap(node => node ?? [])
  const [first] = named
  return (
    <li>
      <span className="mark-blocked">
        <InstanceMark kind="blocked" />
      </span>
      <b className="mono cut" title={listed(named)}>
        {named.length > 1 ? counted(named.length, 'node') : (first ?? cluster)}
      </b>
      <div className="breaks">
        <Said text={blocker.message} />
        <BlockerWhy found={found} nodes={named} />
      </div>
      <span className="upd-remedies">
        <BlockerRemedies
          blocker={blocker}
          cluster={cluster}
          place="its node"
          instance={instance}
          alike={alike}
          onMarked={onCheck}
          onGive={onGive}
          onLoseData={() => onChoose({ deleteEmptyDirData: true })}
        />
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

import { Button, InputGroup } from '@blueprintjs/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { MaintenanceAction } from '../../../shared/domain/instance-tags.ts'
import { type CheckedPlan, isNodePlan } from '../../../shared/domain/plan.ts'
import { blockersOf, type FoundBlocker, type InstanceEffect, instanceOf } from '../../../shared/domain/plan-effects.ts'
import type { OverrideFlag } from '../../../shared/domain/step-answers.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import { MARK_WORDS } from '../../../shared/words/actions.ts'
import { blockerBelowName } from '../../../shared/words/plan-blockers.ts'
import { markInstances } from '../../bridge/instances.ts'
import { Said } from '../said.tsx'
import { InstanceRemedies } from './instance-remedies.tsx'
import { ACCEPT_WORDS } from './plan-words.ts'
import { Remedy } from './remedy.tsx'

interface Props {
  readonly cluster: string
  readonly checked: CheckedPlan
  /** Instances of the plan: a blocker about one offers its modes. */
  readonly instances: readonly InstanceEffect[]
  /** Called after a change of an instance, which makes another plan necessary. */
  readonly onMarked: () => void
  readonly onChoose: (change: PlanChoices) => void
  /** The instance to leave on the node, of which its row asks for the reason. */
  readonly leaving?: LeavingInstance | null
  /** Leaves, in a plan for several nodes, the node of a step out; absent for others. */
  readonly leaveOut?: (stepId: string) => { readonly node: string; readonly act: () => void } | null
}

/** Each request is another value: an operator may choose the same instance again. */
export interface LeavingInstance {
  readonly id: string
}

/** What blocks the plan, each with its remedies and what they cost; then what the operator accepted. */
export function PlanBlockers({ cluster, checked, instances, onMarked, onChoose, leaving, leaveOut }: Props): ReactNode {
  const found = blockersOf(checked)
  const open = found.filter(({ liftedBy }) => liftedBy === null)
  const { overrides } = checked.plan.options
  const place = isNodePlan(checked.plan) ? checked.plan.node : 'its node'
  const named = (each: FoundBlocker) => instanceOf(each.blocker, instances)
  return (
    <>
      {open.length === 0 ? null : (
        <ul className="plan-blockers plain-list" aria-label="What blocks this">
          {open.map(each => (
            <BlockerCard
              key={`${each.stepId} ${each.blocker.code} ${each.blocker.message}`}
              found={each}
              cluster={cluster}
              place={place}
              instance={named(each)}
              alike={open
                .filter(({ blocker }) => isSameRule(blocker.override, each.blocker.override))
                .map(other => named(other)?.name ?? null)}
              onMarked={onMarked}
              onGive={(flag, reason) =>
                onChoose({ overrides: [...overrides.filter(given => given.flag !== flag), { flag, reason }] })
              }
              onLoseData={() => onChoose({ deleteEmptyDirData: true })}
              leaving={leaving ?? null}
              out={leaveOut?.(each.stepId) ?? null}
            />
          ))}
        </ul>
      )}
      {overrides.map(({ flag, reason }) => (
        <Accepted
          key={flag}
          place={place}
          reason={reason}
          lifted={found.filter(({ liftedBy }) => liftedBy === flag)}
          nameOf={each => named(each)?.name ?? null}
          onUndo={() => onChoose({ overrides: overrides.filter(given => given.flag !== flag) })}
        />
      ))}
    </>
  )
}

type Rule = FoundBlocker['blocker']['override']

/** Whether one acceptance lifts both. */
export function isSameRule(one: Rule, other: Rule): boolean {
  return one.kind === 'flag' && other.kind === 'flag' && one.flag === other.flag
}

interface AcceptedProps {
  readonly place: string
  readonly reason: string
  readonly lifted: readonly FoundBlocker[]
  readonly nameOf: (found: FoundBlocker) => string | null
  readonly onUndo: () => void
}

/** What the operator accepted, with the reason and a way back. */
export function Accepted({ place, reason, lifted, nameOf, onUndo }: AcceptedProps): ReactNode {
  const names = lifted.flatMap(each => nameOf(each) ?? [])
  return (
    <section className="plan-card plan-accepted" aria-label="Accepted by you">
      <p>
        <b>Accepted by you.</b> {names.length === 0 ? null : goesDownWords(names, place)}
      </p>
      {lifted
        .filter(each => nameOf(each) === null)
        .map(({ blocker }) => (
          <p key={blocker.message}>
            <Said text={blocker.message} />
          </p>
        ))}
      <p className="quiet small">Reason: {reason}</p>
      <Button size="small" text="Undo" aria-label="Undo what you accepted" onClick={onUndo} />
    </section>
  )
}

function goesDownWords(names: readonly string[], place: string): string {
  return `${listed(names)} ${names.length === 1 ? 'goes' : 'go'} down with ${place}.`
}

interface CardProps extends RemediesProps {
  readonly found: FoundBlocker
  readonly out: { readonly node: string; readonly act: () => void } | null
}

interface RemediesProps {
  readonly cluster: string
  readonly place: string
  readonly instance: InstanceEffect | null
  /** The instances of all blockers that the same acceptance lifts; null for one about something else. */
  readonly alike: readonly (string | null)[]
  readonly onMarked: () => void
  readonly onGive: (flag: OverrideFlag, reason: string) => void
  readonly onLoseData: () => void
  readonly leaving?: LeavingInstance | null
}

/** The blocker that a choice removes, not an override (main/procedures/steps/general/drain-choices.ts). */
const LIFTED_BY_CHOICE = 'PodWithEmptyDir'

function BlockerCard(props: CardProps): ReactNode {
  const { found, instance, out } = props
  const { blocker } = found
  return (
    <li className="plan-card plan-blocker">
      {instance === null ? (
        <p>
          <b>
            <Said text={blocker.message} />
          </b>
        </p>
      ) : (
        <>
          <b className="mono">{instance.name}</b>
          <p>
            <Said text={blockerBelowName(blocker, instance.name, instance.id)} />
          </p>
        </>
      )}
      <BlockerRemedies {...props} blocker={blocker} />
      {out === null ? null : <Remedy text={`Leave ${out.node} out`} cost="it stays in service" onClick={out.act} />}
      <BlockerWhy found={found}>
        {instance === null ? null : (
          <p>
            <Said text={blocker.message} />
          </p>
        )}
      </BlockerWhy>
    </li>
  )
}

/** The ways to remove a blocker or to start in spite of it, each with its cost. */
export function BlockerRemedies(props: RemediesProps & { readonly blocker: FoundBlocker['blocker'] }): ReactNode {
  const { blocker, cluster, place, instance, alike, onMarked, onGive, onLoseData, leaving = null } = props
  const { code, override } = blocker
  return (
    <>
      {instance === null
        ? null
        : modesThatLift(instance).map(mode => (
            <ModeRemedy key={mode} cluster={cluster} instance={instance} mode={mode} onMarked={onMarked} />
          ))}
      {instance === null ? null : (
        <InstanceRemedies cluster={cluster} instance={instance} code={code} onChanged={onMarked} />
      )}
      {code === LIFTED_BY_CHOICE ? (
        <Remedy text="Delete its emptyDir data" cost="its files are lost" onClick={onLoseData} />
      ) : override.kind === 'flag' ? (
        <AcceptRemedy
          flag={override.flag}
          instance={instance}
          alike={alike}
          place={place}
          asked={leaving !== null && leaving.id === instance?.id ? leaving : null}
          onGive={onGive}
        />
      ) : null}
    </>
  )
}

interface WhyProps {
  readonly found: FoundBlocker
  /** The nodes whose check found it, if there are several. */
  readonly nodes?: readonly string[]
  readonly children?: ReactNode
}

/** The technical reason of a blocker, and its check. */
export function BlockerWhy({ found: { blocker, title }, nodes = [], children }: WhyProps): ReactNode {
  const { code, override, remedy } = blocker
  return (
    <details className="plan-why small">
      <summary>Why?</summary>
      {children}
      <p>
        <Said text={remedy} />
      </p>
      {override.kind === 'never' && code !== LIFTED_BY_CHOICE ? <p>It cannot start anyway: {override.why}.</p> : null}
      <p className="quiet">
        Check: <Said text={title} />
        {nodes.length > 1 ? ` (${listed(nodes)})` : null}
      </p>
    </details>
  )
}

const LIFTED_BY_MODE: ReadonlySet<InstanceEffect['source']> = new Set(['tag', 'host-mode', 'operator'])

/** The modes that remove a blocker about an instance. One that blocks by its state takes no mode: Nova refuses the tag. */
export function modesThatLift({
  action,
  source,
}: Pick<InstanceEffect, 'action' | 'source'>): readonly MaintenanceAction[] {
  if (action === 'notify') return ['live_migrate', 'poweroff']
  return action === 'blocked' && LIFTED_BY_MODE.has(source) ? ['poweroff'] : []
}

interface ModeRemedyProps {
  readonly cluster: string
  readonly instance: InstanceEffect
  readonly mode: MaintenanceAction
  readonly onMarked: () => void
}

/** Sets the mode of an instance, so that it no longer blocks. */
function ModeRemedy({ cluster, instance: { id }, mode, onMarked }: ModeRemedyProps): ReactNode {
  const [asked, setAsked] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const mark = async () => {
    setAsked(true)
    const outcome = await markInstances(cluster, [{ id, actions: [mode] }])
    setAsked(false)
    setRefused(outcome.refused[0]?.failure.message ?? null)
    if (outcome.refused.length === 0) onMarked()
  }
  return (
    <>
      <Remedy
        text={MARK_WORDS[mode]}
        cost={mode === 'poweroff' ? 'down meanwhile' : 'no downtime'}
        loading={asked}
        onClick={() => void mark()}
      />
      {refused === null ? null : (
        <p className="bad small" role="alert">
          {refused}
        </p>
      )}
    </>
  )
}

interface AcceptProps {
  readonly flag: OverrideFlag
  readonly instance: InstanceEffect | null
  readonly alike: readonly (string | null)[]
  readonly place: string
  /** Asks for the reason, from elsewhere on the sheet. */
  readonly asked?: LeavingInstance | null
  readonly onGive: (flag: OverrideFlag, reason: string) => void
}

/** Starts in spite of the blocker, for a reason. The same flag lifts all blockers of its kind, so all are named. */
function AcceptRemedy({ flag, instance, alike, place, asked = null, onGive }: AcceptProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (asked !== null) setOpen(true)
  }, [asked])
  const [reason, setReason] = useState('')
  const { button, cost } = ACCEPT_WORDS[flag]
  const isLeft = instance !== null && flag === 'force'
  if (!isOpen) {
    return (
      <Remedy
        text={isLeft ? 'Leave it here…' : button}
        cost={isLeft ? 'goes down with it' : cost}
        onClick={() => setOpen(true)}
      />
    )
  }
  const names = [...new Set(alike.flatMap(name => name ?? []))]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') onGive(flag, reason.trim())
  }
  return (
    <form className="plan-accept" onSubmit={submit}>
      <p>
        {alike.length > 1 ? `This accepts ${alike.length === 2 ? 'both' : `all ${alike.length}`}. ` : null}
        {flag === 'force' && names.length > 0 ? goesDownWords(names, place) : `It starts although ${cost}.`}
      </p>
      <InputGroup
        inputRef={input => input?.focus()}
        placeholder="Reason, kept in the report"
        aria-label="Reason to start anyway"
        value={reason}
        onValueChange={setReason}
      />
      <div className="row">
        <Button
          type="submit"
          intent="warning"
          text={isLeft ? (alike.length > 1 ? 'Leave them here' : 'Leave it here') : 'Start anyway'}
          disabled={reason.trim() === ''}
        />
        <Button variant="minimal" text="Not now" onClick={() => setOpen(false)} />
      </div>
    </form>
  )
}

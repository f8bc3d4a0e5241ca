import type { ReactNode } from 'react'
import { isAtRest } from '../../../shared/domain/instance-policy.ts'
import type { LikelyPlaces } from '../../../shared/domain/likely-places.ts'
import { type Plan, takesOut } from '../../../shared/domain/plan.ts'
import type { InstanceEffect } from '../../../shared/domain/plan-effects.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { InstanceMark, type MarkKind } from '../instance-mark.tsx'

interface Fact {
  readonly kind: MarkKind
  readonly words: string
  readonly more: string | null
}

interface Props {
  readonly plan: Plan
  readonly node: string
  readonly instances: readonly InstanceEffect[]
  readonly places: LikelyPlaces | null
}

/** What a plan does in three or four facts; each with what follows from it. */
export function PlanFacts(props: Props): ReactNode {
  const facts = factsOf(props)
  if (facts.length === 0) return null
  return (
    <ul className="plan-facts plain-list" aria-label="What it does">
      {facts.map(({ kind, words, more }) => (
        <li key={words}>
          <InstanceMark kind={kind} />
          <span>{words}</span>
          {more === null ? null : <span className="plan-more">{more}</span>}
        </li>
      ))}
    </ul>
  )
}

/** Instances by their names while they are few. */
const NAMED = 2

export function factsOf({ plan, node, instances, places }: Props): readonly Fact[] {
  const with_ = (...actions: readonly InstanceEffect['action'][]) =>
    instances.filter(({ action }) => actions.includes(action))
  const of = (found: readonly InstanceEffect[], one: string, more: string) =>
    `${found.length <= NAMED ? listed(found.map(({ name }) => name)) : counted(found.length, 'instance')} ${found.length === 1 ? one : more}`
  const fact = (
    kind: MarkKind,
    found: readonly InstanceEffect[],
    [one, more]: readonly [string, string],
    then: string | null = null,
  ): readonly Fact[] => (found.length === 0 ? [] : [{ kind, words: of(found, one, more), more: then }])
  // The card of what the operator accepted names those that stay by choice.
  const stay = with_('ignore').filter(({ source }) => source !== 'operator')
  const cold = with_('cold_migrate')
  return [
    ...movingFacts(with_('live_migrate', 'cold_migrate', 'evacuate'), { plan, node, places, instances }),
    ...fact('moves', cold.length === instances.length ? [] : cold, ['moves with downtime', 'move with downtime']),
    ...fact(
      'stops',
      with_('poweroff'),
      ['stops with the node', 'stop with the node'],
      `You can start ${with_('poweroff').length === 1 ? 'it' : 'them'} again when ${node} is back.`,
    ),
    ...fact('stops', with_('stop'), ['is shut down and stays', 'are shut down and stay']),
    ...fact(
      'waits',
      with_('notify'),
      ['waits for its owner', 'wait for their owners'],
      `The run waits until ${with_('notify').length === 1 ? 'its owner acts' : 'their owners act'}.`,
    ),
    ...fact('off', stay.filter(isAtRest), ['is off and stays off', 'are off and stay off']),
    ...fact(
      'off',
      stay.filter(effect => !isAtRest(effect)),
      ['stays where it is', 'stay where they are'],
    ),
  ]
}

function movingFacts(moving: readonly InstanceEffect[], { plan, node, places }: Props): readonly Fact[] {
  if (moving.length === 0) return []
  const who = counted(moving.length, 'instance')
  const one = moving.length === 1
  if (plan.kind === 'rescue') {
    return [{ kind: 'moves', words: `${who} ${one ? 'restarts' : 'restart'} on other nodes`, more: null }]
  }
  if (!takesOut(plan.kind)) {
    return [{ kind: 'arriving', words: `${who} ${one ? 'comes' : 'come'} back to ${node}`, more: null }]
  }
  const after = (places?.places ?? []).flatMap(({ ramAfter }) => ramAfter ?? [])
  const to = places === null || places.places.length === 0 ? '' : ` to ${counted(places.places.length, 'node')}`
  return [
    {
      kind: 'moves',
      words: `${who} ${one ? 'moves' : 'move'}${to}`,
      more: after.length === 0 ? null : `RAM there: ${Math.max(...after)} % at most afterwards`,
    },
  ]
}

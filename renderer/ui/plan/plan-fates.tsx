import type { ReactNode } from 'react'
import { isAtRest } from '../../../shared/domain/instance-policy.ts'
import type { InstanceEffect } from '../../../shared/domain/plan-effects.ts'
import { InstanceMark, type MarkKind, markOfAction } from '../instance-mark.tsx'

/** What happens to instances, in the order of the bar; each with one and several. */
const FATES = [
  { kind: 'moves', one: 'moves', more: 'move' },
  { kind: 'stops', one: 'stops', more: 'stop' },
  { kind: 'blocked', one: 'blocked', more: 'blocked' },
  { kind: 'waits', one: 'waits for its owner', more: 'wait for their owners' },
  { kind: 'off', one: 'stays off', more: 'stay off' },
  { kind: null, one: 'stays', more: 'stay' },
] as const

/** How many move, stop, block, wait and stay, and the same as one bar. */
export function FateBar({
  instances,
  children,
}: {
  readonly instances: readonly InstanceEffect[]
  /** At the end of the line. */
  readonly children: ReactNode
}): ReactNode {
  const counts = FATES.map(fate => ({
    ...fate,
    count: instances.filter(effect => markOfEffect(effect) === fate.kind).length,
  })).filter(({ count }) => count > 0)
  return (
    <div className="plan-fates">
      <div className="row wrap">
        {counts.map(({ kind, count, one, more }) => (
          <span key={kind ?? 'stays'} className="plan-fate row">
            {kind === null ? null : <InstanceMark kind={kind} />}
            <span>
              <b>{count}</b> <span className="quiet">{count === 1 ? one : more}</span>
            </span>
          </span>
        ))}
        <span className="space" />
        {children}
      </div>
      <div className="plan-fate-bar meter" aria-hidden="true">
        {counts.map(({ kind, count }) => (
          <span key={kind ?? 'stays'} className={`mark-${kind ?? 'off'}`} style={{ flexGrow: count }} />
        ))}
      </div>
    </div>
  )
}

/** The mark of what a plan does; null for an instance that runs on where it is. */
export function markOfEffect(effect: InstanceEffect): MarkKind | null {
  if (effect.action === 'evacuate') return 'moves'
  return effect.action === 'ignore' && !isAtRest(effect) ? null : markOfAction(effect.action)
}

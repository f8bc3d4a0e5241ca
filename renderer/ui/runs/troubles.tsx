import type { ReactNode } from 'react'
import type { RunView } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { groupedWaits } from './grouped-waits.ts'
import { TroubleCard } from './trouble-card.tsx'

interface Props {
  readonly view: RunView
  readonly condition: RunCondition
}

/** What a run waits for, a card each, what needs you first; empty if it waits for nothing. */
export function Troubles({ view, condition }: Props): ReactNode {
  const cut = useConnection(whyCutOff)
  if (!('waits' in condition) || condition.kind === 'unheard') return null
  const waits = condition.waits.filter(({ moves }) => !moves)
  const locked =
    cut !== null
      ? 'This console does not answer, so no answer can be sent from here.'
      : condition.kind === 'interrupted'
        ? 'No console runs this. Resume it first: it checks again, and asks again if it must.'
        : null
  return groupedWaits(waits).map(({ first, whats }) => (
    <TroubleCard key={keyOf(first)} view={view} wait={first} others={whats.slice(1)} locked={locked} />
  ))
}

/** Another moment of the same wait starts with fresh buttons. */
function keyOf(wait: Parameters<typeof TroubleCard>[0]['wait']): string {
  const about = wait.code === 'Question' ? wait.gateId : wait.instances.map(({ id }) => id).join()
  return [wait.code, wait.node, about, wait.since].join(' ')
}

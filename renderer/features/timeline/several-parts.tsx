import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { countsOf, type PlanEffects } from '../../../shared/domain/plan-effects.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { InstanceMark, type MarkKind, markOfAction } from '../../ui/instance-mark.tsx'
import type { NodeFacts } from './plan-facts.ts'

/** Chosen nodes that the plan leaves alone, and why. */
export function SeveralLeftOut({
  leftOut,
  onPutBack,
}: {
  readonly leftOut: readonly { readonly node: string; readonly why: string | null }[]
  readonly onPutBack: (node: string) => void
}): ReactNode {
  if (leftOut.length === 0) return null
  return (
    <section className="plan-card several-left" aria-label="Left out">
      {leftOut.map(({ node, why }) => (
        <div key={node}>
          <p>
            <b className="mono">{node}</b> is left out{why === null ? '.' : `: ${why}`}
          </p>
          <Button size="small" text={`Plan ${node} too`} onClick={() => onPutBack(node)} />
        </div>
      ))}
    </section>
  )
}

/** What happens to the instances of all nodes, in three or four lines. */
export function SeveralFacts({
  effects,
  way,
}: {
  readonly effects: PlanEffects
  readonly way: 'out' | 'back'
}): ReactNode {
  const counts = countsOf(effects)
  const stops = counts.stopped + counts.goingDown
  const facts: readonly { readonly kind: MarkKind; readonly count: number; readonly words: string }[] = [
    {
      kind: 'moves',
      count: counts.moving,
      words: `${counted(counts.moving, 'instance')} ${verb(counts.moving, 'move')}`,
    },
    {
      kind: 'stops',
      count: stops,
      words: `${counted(stops, 'instance')} ${verb(stops, 'stop')} ${way === 'out' ? 'with the node' : 'until its node is back'}`,
    },
    {
      kind: 'waits',
      count: counts.waiting,
      words: `${counted(counts.waiting, 'instance')} ${verb(counts.waiting, 'wait')} for the owner`,
    },
  ]
  return (
    <ul className="several-facts plain-list">
      {facts
        .filter(({ count }) => count > 0)
        .map(({ kind, words }) => (
          <li key={kind}>
            <span className={`mark-${kind}`}>
              <InstanceMark kind={kind} />
            </span>
            <span>{words}</span>
          </li>
        ))}
    </ul>
  )
}

function verb(count: number, word: string): string {
  return count === 1 ? `${word}s` : word
}

interface NodesProps {
  readonly nodes: readonly string[]
  readonly facts: ReadonlyMap<string, NodeFacts>
}

/** The nodes that go out together, each with what happens to its instances and what blocks it. */
export function SeveralNodes({ nodes, facts }: NodesProps): ReactNode {
  const hasNotes = nodes.some(node => facts.get(node)?.blocked != null || facts.get(node)?.waits.length)
  return (
    <table className="several-nodes">
      <thead>
        <tr>
          <th scope="col">Node</th>
          <th scope="col">What happens</th>
          {hasNotes ? <th scope="col">Note</th> : null}
        </tr>
      </thead>
      <tbody>
        {nodes.map(node => {
          const own = facts.get(node) ?? null
          return (
            <tr key={node}>
              <th scope="row" className="mono">
                {node}
              </th>
              <td>
                <Fates facts={own} />
              </td>
              {hasNotes ? (
                <td>
                  {own?.blocked == null ? null : <b className="bad">{own.blocked}</b>}{' '}
                  {own === null || own.waits.length === 0 ? null : (
                    <span className="caution">owner of {own.waits.join(', ')}</span>
                  )}
                </td>
              ) : null}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const FATE_WORDS: readonly (readonly [MarkKind, string])[] = [
  ['moves', 'move'],
  ['stops', 'stop'],
  ['waits', 'wait'],
  ['blocked', 'blocked'],
  ['off', 'off'],
]

function Fates({ facts }: { readonly facts: NodeFacts | null }): ReactNode {
  const kinds = Map.groupBy(facts?.instances ?? [], ({ action }) => markOfAction(action))
  const shown = FATE_WORDS.filter(([kind]) => kinds.has(kind))
  if (shown.length === 0) return <span className="quiet">no instances</span>
  return (
    <span className="row wrap">
      {shown.map(([kind, word]) => (
        <span key={kind} className={`marked-word mark-${kind}`}>
          <InstanceMark kind={kind} />
          {kinds.get(kind)?.length} {word}
        </span>
      ))}
    </span>
  )
}

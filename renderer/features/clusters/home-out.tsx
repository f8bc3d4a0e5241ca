import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { openPlanDialog } from '../../stores/plan-dialog.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { lastOutOf } from '../../ui/clusters/out-of-service.ts'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { outBadge } from './home-claims.ts'
import { HomeSection, RowFacts } from './home-section.tsx'

interface OutNode {
  readonly cluster: string
  readonly node: NodeView
  /** Its cloud does not answer, or only in part. */
  readonly isLastSeen: boolean
}

interface Props {
  readonly nodes: readonly OutNode[]
  readonly runs: readonly RunSummary[]
}

/** Nodes out of service: since when, who took them out, why, whether each may be powered off, and the way back. */
export function HomeOut({ nodes, runs }: Props): ReactNode {
  return nodes.length === 0 ? null : (
    <HomeSection title="Out of service" note={counted(nodes.length, 'node')}>
      <ul className="home-list plain-list">
        {nodes.map(each => (
          <OutRow key={`${each.cluster} ${each.node.name}`} {...each} runs={runs} />
        ))}
      </ul>
    </HomeSection>
  )
}

function OutRow({ cluster, node, isLastSeen, runs }: OutNode & Pick<Props, 'runs'>): ReactNode {
  const { name } = node
  const { since, by, why } = lastOutOf(cluster, node, runs)
  const { tone, words } = outBadge(node, isLastSeen)
  return (
    <li className="home-row home-thirds">
      <div>
        <a className="strong mono" href={hashOf(clusterRoute(cluster, 'topology', { node: name }))}>
          {name}
        </a>
        <RowFacts cluster={cluster}>{why === '' ? null : <span>{why}</span>}</RowFacts>
      </div>
      <div>
        <span className="badge" data-tone={tone}>
          {words}
        </span>
        {since === null ? null : (
          <small className="quiet">
            <Elapsed from={since} to={null} />
            {by === null ? null : `, by ${by}`}
          </small>
        )}
      </div>
      <div className="home-end">
        <Button
          text="Bring back"
          aria-label={`Bring back ${name}`}
          onClick={() => openPlanDialog({ cluster, kind: 'leave', nodes: [name] })}
        />
      </div>
    </li>
  )
}

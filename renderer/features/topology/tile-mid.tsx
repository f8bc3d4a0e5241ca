import type { ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { Lamp } from './lamp.tsx'
import { NodeName } from './node-name.tsx'
import { serviceTroubles } from './node-words.ts'
import { Cordoned, InstanceBar, LockLamps, ModeChip, StateBadge } from './tile-parts.tsx'

/** A node from some way off: name, where it stands, how much is on it. */
export function MidTile({ node }: { readonly node: NodeView }): ReactNode {
  const troubles = serviceTroubles(node)
  return (
    <>
      <span className="topo-line row">
        <Lamp ready={node.ready} />
        <NodeName name={node.name} />
        <StateBadge node={node} />
      </span>
      <span className="topo-line row topo-fact-instances">
        {node.roles.includes('compute') ? (
          <>
            <InstanceBar counts={node.instances} />
            <span className="topo-total">{node.instances?.total ?? '?'}</span>
          </>
        ) : (
          <span className="topo-roles grow">{node.roles.join(' · ') || 'no role'}</span>
        )}
        {troubles.length > 0 && node.state === 'active' ? <span className="bad">{troubles[0]}</span> : null}
        <Cordoned node={node} />
        <LockLamps locks={node.locks} />
        <ModeChip node={node} />
      </span>
    </>
  )
}

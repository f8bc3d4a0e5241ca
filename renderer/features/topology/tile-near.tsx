import type { ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { Holder } from './holder.tsx'
import { Lamp } from './lamp.tsx'
import { ConditionMarks } from './node-conditions.tsx'
import { NodeName } from './node-name.tsx'
import { serviceTroubles } from './node-words.ts'
import { Cordoned, InstanceBar, InstanceNumbers, LoadBars, LockLamps, ModeChip, StateBadge } from './tile-parts.tsx'

/** A node up close: all that can be said of it in a few lines. */
export function NearTile({ cluster, node }: { readonly cluster: string; readonly node: NodeView }): ReactNode {
  const computes = node.roles.includes('compute')
  return (
    <>
      <span className="topo-line row">
        <Lamp ready={node.ready} />
        <NodeName name={node.name} />
        <StateBadge node={node} />
      </span>
      <span className="topo-line row topo-quiet quiet">
        <span className="topo-roles grow">{node.roles.join(' · ') || 'no role'}</span>
        <Cordoned node={node} />
        <LockLamps locks={node.locks} />
        <ModeChip node={node} />
      </span>
      {computes ? (
        <>
          <span className="topo-line row topo-fact-instances">
            <InstanceBar counts={node.instances} />
            <span className="topo-total" title="Instances on it">
              {node.instances?.total ?? '?'}
            </span>
          </span>
          <span className="topo-line row topo-quiet quiet topo-fact-instances">
            <InstanceNumbers counts={node.instances} />
          </span>
          <span className="topo-line row topo-quiet quiet topo-fact-capacity">
            <LoadBars load={node.load} />
          </span>
        </>
      ) : null}
      <span className="topo-line row topo-quiet quiet topo-foot">
        <Foot cluster={cluster} node={node} />
      </span>
    </>
  )
}

/** What stands at the bottom of a tile: what matters most of who works on it, what is wrong with it, what more is on it. */
function Foot({ cluster, node }: { readonly cluster: string; readonly node: NodeView }): ReactNode {
  if (node.heldBy !== null || node.runId !== null) return <Holder cluster={cluster} node={node} />
  if (node.state === 'decommissioned') return <span title={node.stateReason}>no node of the cluster any more</span>
  if (node.state === 'partial' && node.conditions.length > 1) return <ConditionMarks conditions={node.conditions} />
  const troubles = serviceTroubles(node)
  if (troubles.length > 0) {
    return (
      <span
        className={`topo-fact-services${node.state === 'maintenance' ? '' : ' bad'}`}
        title={node.computeService?.disabledReason ?? undefined}
      >
        {troubles.join(', ')}
      </span>
    )
  }
  if (node.ready !== 'ready') return <span className="bad">{node.readinessText || 'kubelet not ready'}</span>
  const storage = node.roles.includes('storage')
  return (
    <span className="topo-more">
      {storage ? (
        <span
          title={
            node.osds === null
              ? 'Ceph could not be asked: it needs a toolbox pod and the right to run commands in it.'
              : undefined
          }
        >
          {node.osds === null ? 'OSDs not known' : counted(node.osds, 'OSD')}
        </span>
      ) : null}
      <span className="topo-fact-pods">{node.pods === null ? 'pods not known' : `${node.pods} pods`}</span>
      {node.agents === null ? null : (
        <span className={`topo-fact-agents${node.agents.alive < node.agents.total ? ' bad' : ''}`}>
          {node.agents.alive}/{node.agents.total} agents
        </span>
      )}
    </span>
  )
}

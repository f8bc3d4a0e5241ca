import type { ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { Lamp } from './lamp.tsx'
import { NodeName } from './node-name.tsx'

/** A node from far away: where it stands as a colour, its readiness as a lamp, its name. */
export function FarTile({ node }: { readonly node: NodeView }): ReactNode {
  return (
    <>
      <Lamp ready={node.ready} />
      <NodeName name={node.name} />
      {(node.instances?.blocked ?? 0) > 0 ? <span className="topo-far-blocked" /> : null}
    </>
  )
}

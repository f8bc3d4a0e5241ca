import type { ReactNode } from 'react'
import { useNode } from './node-selectors.ts'

interface Props {
  readonly cluster: string
  readonly name: string
}

/** Ceph's disks on a node; says plainly where they are not known. */
export function NodeOsds({ cluster, name }: Props): ReactNode {
  const node = useNode(cluster, name)
  if (node === null) return null
  if (node.osds !== null) return <p>{node.osds === 1 ? '1 OSD is on it.' : `${node.osds} OSDs are on it.`}</p>
  return (
    <p>
      Ceph could not be asked, so the OSDs of this node are not known: it needs a toolbox pod, and the right to run
      commands in it (cluster settings)
      {node.roles.includes('storage')
        ? '. Its labels say that it holds some: look at `ceph osd tree` before you take it out of service.'
        : '. Its labels do not say that it holds any.'}
    </p>
  )
}

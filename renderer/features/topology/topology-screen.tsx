import type { ReactNode } from 'react'

interface Props {
  readonly cluster: string
}

/** Topology of one cluster. */
export function TopologyScreen({ cluster }: Props): ReactNode {
  return <h1>Topology of {cluster}</h1>
}

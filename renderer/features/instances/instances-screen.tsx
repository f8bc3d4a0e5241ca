import type { ReactNode } from 'react'

interface Props {
  readonly cluster: string
}

/** Instances of one cluster. */
export function InstancesScreen({ cluster }: Props): ReactNode {
  return <h1>Instances of {cluster}</h1>
}

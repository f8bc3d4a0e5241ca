import type { ReactNode } from 'react'

interface Props {
  readonly cluster: string
}

/** Runs of one cluster. */
export function RunsScreen({ cluster }: Props): ReactNode {
  return <h1>Runs of {cluster}</h1>
}

import type { ReactNode } from 'react'

/** Registers a cluster from its files. */
export function AddClusterScreen(): ReactNode {
  return <h1>Add a cluster</h1>
}

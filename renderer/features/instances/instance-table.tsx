import type { ReactNode } from 'react'

interface Props {
  readonly cluster: string
  /** Null: of the whole cluster. */
  readonly node: string | null
}

/** Instances, what a maintenance of their host would do to each, and how that is changed. */
export function InstanceTable({ cluster, node }: Props): ReactNode {
  return <section aria-label={`Instances of ${node ?? cluster}`} />
}

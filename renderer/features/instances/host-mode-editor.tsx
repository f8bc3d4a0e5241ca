import type { ReactNode } from 'react'

interface Props {
  readonly cluster: string
  readonly node: string
}

/** The migration mode and attempts of one host, as its node's annotations have them, and how they are changed. */
export function HostModeEditor({ node }: Props): ReactNode {
  return <section aria-label={`Migration mode of ${node}`} />
}

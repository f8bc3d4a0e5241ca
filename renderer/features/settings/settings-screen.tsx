import type { ReactNode } from 'react'

interface Props {
  readonly cluster: string
}

/** Settings of one cluster. */
export function SettingsScreen({ cluster }: Props): ReactNode {
  return <h1>Settings of {cluster}</h1>
}

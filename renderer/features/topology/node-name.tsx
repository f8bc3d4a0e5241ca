import type { ReactNode } from 'react'

/** The end of a name tells nodes apart: where there is no room for all of it, the middle goes. */
export const TAIL_LETTERS = 6

/** The name of a node on its tile. Of a name with a domain the domain goes first. */
export function NodeName({ name }: { readonly name: string }): ReactNode {
  const host = hostPart(name)
  return (
    <span className="topo-name grow">
      <span className="topo-name-head">{host.slice(0, -TAIL_LETTERS)}</span>
      <span>{host.slice(-TAIL_LETTERS)}</span>
      {host === name ? null : <span className="topo-name-domain">{name.slice(host.length)}</span>}
    </span>
  )
}

/** What stands before the domain; all of a name that has none, an address among them. */
export function hostPart(name: string): string {
  const label = name.split('.', 1)[0] ?? ''
  return /[a-z]/i.test(label) ? label : name
}

import type { ReactNode } from 'react'

/** The end of a name distinguishes nodes: without room the middle goes. */
export const TAIL_LETTERS = 6

/** The name of a node on its tile. Without room the domain goes first. */
export function NodeName({ name }: { readonly name: string }): ReactNode {
  const host = hostPart(name)
  return (
    <span className="topo-name nowrap strong grow">
      <span className="topo-name-head">{host.slice(0, -TAIL_LETTERS)}</span>
      <span>{host.slice(-TAIL_LETTERS)}</span>
      {host === name ? null : <span className="topo-name-domain">{name.slice(host.length)}</span>}
    </span>
  )
}

/** The name without its domain; an address stays whole. */
export function hostPart(name: string): string {
  const label = name.split('.', 1)[0] ?? ''
  return /[a-z]/i.test(label) ? label : name
}

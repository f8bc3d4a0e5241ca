import type { ReactNode } from 'react'

/** The end of a name tells nodes apart: where there is no room for all of it, the middle goes. */
const TAIL_LETTERS = 6

/** The name of a node on its tile. */
export function NodeName({ name }: { readonly name: string }): ReactNode {
  return (
    <span className="topo-name grow">
      <span className="topo-name-head">{name.slice(0, -TAIL_LETTERS)}</span>
      <span>{name.slice(-TAIL_LETTERS)}</span>
    </span>
  )
}

import type { ReactNode } from 'react'
import type { NamedTitle } from '../../../shared/words/runs.ts'

/** A title with its name in mono. */
export function Named({ title: [before, name, after] }: { readonly title: NamedTitle }): ReactNode {
  return (
    <>
      {before}
      {name === '' ? '' : ' '}
      {name === '' ? null : <span className="mono">{name}</span>}
      {after === '' ? '' : ` ${after}`}
    </>
  )
}

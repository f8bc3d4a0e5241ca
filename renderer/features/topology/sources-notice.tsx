import type { ReactNode } from 'react'
import { SOURCE_NAMES } from '../../../shared/words/sources.ts'
import { Age } from '../../ui/when.tsx'
import type { OldSource } from './old-sources.ts'

/** Which of the facts on the map are old, since when and why: one line each, only while there are some. */
export function SourcesNotice({ old }: { readonly old: readonly OldSource[] }): ReactNode {
  if (old.length === 0) return null
  return (
    <div role="status">
      <ul className="topo-notice" aria-label="Facts that are old">
        {old.map(({ name, since, why }) => (
          <li key={name}>
            <b>{SOURCE_NAMES[name]}</b>
            {since === null ? ' not read yet' : ' as of '}
            {since === null ? null : <Age at={since} />}
            {`: ${why}`}
          </li>
        ))}
      </ul>
    </div>
  )
}

import type { ReactNode } from 'react'
import type { DefinitionStatus } from '../../../shared/domain/maintenance-api.ts'
import { counted } from '../../../shared/grammar/counts.ts'

const STATE_WORDS: Readonly<Record<DefinitionStatus['state'], string>> = {
  missing: 'missing',
  same: 'as shipped',
  differs: "the cloud's own, used as it is",
}

/** One kind and its status; differences fold out. */
export function Definition({ definition }: { readonly definition: DefinitionStatus }): ReactNode {
  const { kind, name, state, differences } = definition
  const head = (
    <>
      <b title={name}>{kind}</b>
      <span className={state === 'missing' ? 'bad' : 'quiet'}>{STATE_WORDS[state]}</span>
    </>
  )
  return (
    <li>
      {differences.length === 0 ? (
        head
      ) : (
        <details>
          <summary>
            {head}
            <span className="quiet">, {counted(differences.length, 'difference')}</span>
          </summary>
          <ul className="mono">
            {differences.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

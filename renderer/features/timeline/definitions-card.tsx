import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { DefinitionStatus } from '../../../shared/domain/maintenance-api.ts'
import { readDefinitions } from '../../bridge/definitions.ts'
import { lastRead, useUpdates } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { counted } from '../../words/numbers.ts'
import { InstallDefinitions } from './install-definitions.tsx'
import './cards.css'

interface Props {
  readonly cluster: string
}

const STATE_WORDS: Readonly<Record<DefinitionStatus['state'], string>> = {
  missing: 'missing',
  same: 'as ours',
  differs: "the cluster's own, used as it is",
}

/** The six kinds of the node maintenance API on a cluster: there, missing, or the cluster's own. */
export function DefinitionsCard({ cluster }: Props): ReactNode {
  useEffect(() => void readDefinitions(cluster), [cluster])
  const asked = useUpdates(store => store.definitions.get(cluster))
  const [installing, setInstalling] = useState(false)
  const known = lastRead(asked)
  const missing = known?.filter(({ state }) => state === 'missing') ?? []
  return (
    <section className="upd-card" aria-labelledby="upd-definitions">
      <h2 id="upd-definitions">Definitions</h2>
      {asked?.kind === 'failed' ? (
        <FailureCallout
          title="The definitions cannot be read"
          failure={asked.failure}
          onRetry={() => void readDefinitions(cluster)}
        />
      ) : null}
      {known === null ? (
        asked?.kind === 'failed' ? null : (
          <p className="quiet">Reading.</p>
        )
      ) : (
        <>
          <p>
            {missing.length === 0
              ? `${cluster} has all six kinds of the node maintenance API.`
              : `${cluster} lacks ${counted(missing.length, 'kind')} of the node maintenance API; without them no update can be driven or seen.`}
          </p>
          <ul className="upd-definitions">
            {known.map(definition => (
              <Definition key={definition.name} definition={definition} />
            ))}
          </ul>
          {missing.length === 0 ? null : <Button text="Install definitions…" onClick={() => setInstalling(true)} />}
          <InstallDefinitions
            cluster={cluster}
            definitions={known}
            isOpen={installing}
            onClose={() => setInstalling(false)}
          />
        </>
      )}
    </section>
  )
}

/** One kind and where it stands; what differs folds out. */
export function Definition({ definition }: { readonly definition: DefinitionStatus }): ReactNode {
  const { kind, name, state, differences } = definition
  const head = (
    <>
      <b title={name}>{kind}</b>
      <span className={state === 'missing' ? 'upd-missing' : 'quiet'}>{STATE_WORDS[state]}</span>
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

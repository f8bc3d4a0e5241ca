import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { readDefinitions } from '../../bridge/definitions.ts'
import { lastRead, useUpdates } from '../../stores/updates.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { Definition } from './definition.tsx'
import { InstallDefinitions } from './install-definitions.tsx'
import './cards.css'

interface Props {
  readonly cluster: string
}

/** The six kinds of the node maintenance API on a cluster: there, missing, or the cluster's own. */
export function DefinitionsCard({ cluster }: Props): ReactNode {
  useEffect(() => void readDefinitions(cluster), [cluster])
  const asked = useUpdates(store => store.definitions.get(cluster))
  const [installing, setInstalling] = useState(false)
  const known = lastRead(asked)
  const missing = known?.filter(({ state }) => state === 'missing') ?? []
  return (
    <section className="panel" aria-labelledby="upd-definitions">
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

import type { ReactNode } from 'react'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { FLAVOUR_WORDS } from '../../words/flavours.ts'

/** One registered cluster: its name, what it is, and by which names we talk to it. Names only, never addresses or secrets. */
export function ClusterCard({ cluster }: { readonly cluster: Cluster }): ReactNode {
  return (
    <article className="card" aria-label={cluster.name}>
      <h2>{cluster.name}</h2>
      <p className="quiet">{FLAVOUR_WORDS[cluster.flavour]}</p>
      <dl>
        <div>
          <dt>Context</dt>
          <dd>{cluster.kubeconfig.context}</dd>
        </div>
        <div>
          <dt>Cloud</dt>
          <dd>{cluster.cloud?.cloud ?? 'none: Kubernetes only'}</dd>
        </div>
        <div>
          <dt>Migrations</dt>
          <dd>{cluster.limits.migrationsPerSource} at once per host</dd>
        </div>
      </dl>
    </article>
  )
}

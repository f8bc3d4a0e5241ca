import type { ReactNode } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import type { LikelyPlace, LikelyPlaces } from '../../../shared/domain/likely-places.ts'
import { isSameMachine } from '../../../shared/domain/machine-names.ts'
import type { InstanceEffect } from '../../../shared/domain/plan-effects.ts'
import { type LiveCluster, lastOf, useViews } from '../../stores/views.ts'
import { InstanceMark, type MarkKind, markOfAction } from '../instance-mark.tsx'
import { moves } from './plan-order.ts'
import './plan-places.css'

interface Props {
  readonly cluster: string
  readonly node: string
  readonly instances: readonly InstanceEffect[]
  readonly places: LikelyPlaces
  /** The service that chooses the destinations. */
  readonly chooser: 'Nova' | 'Watcher'
}

/** A name on a card, with its mark. */
interface Named {
  readonly id: string
  readonly name: string
  readonly kind: MarkKind | null
}

/** At most this many names on a card; the others are a number. */
const SHOWN = 8

/** The node and where its instances probably go: each destination with what it gains, and its memory before and after. */
export function PlanPlaces({ cluster, node, instances, places, chooser }: Props): ReactNode {
  const live = useViews(store => lastOf(store.byCluster.get(cluster)))
  const nameOf = new Map(instances.map(({ id, name }) => [id, name]))
  const zoneOf = (host: string) => nodeOf(live, host)?.zone ?? null
  return (
    <div className="places">
      <h3>Where they go</h3>
      <PlaceCard
        name={node}
        zone={zoneOf(node)}
        isSource
        instances={instances.map(effect => ({
          id: effect.id,
          name: effect.name,
          kind: moves(effect) ? 'left' : markOfAction(effect.action),
        }))}
      />
      <ol className="plain-list">
        {places.places.map(place => (
          <li key={place.host}>
            <PlaceCard
              name={place.host}
              zone={zoneOf(place.host)}
              place={place}
              instances={[
                ...place.gains.map(id => ({ id, name: nameOf.get(id) ?? id, kind: 'arriving' as const })),
                ...instancesOn(live, place.host).map(({ id, name, action }) => ({
                  id,
                  name,
                  kind: markOfAction(action),
                })),
              ]}
            />
          </li>
        ))}
      </ol>
      <p className="quiet small">{chooser} chooses. These have the most free memory.</p>
    </div>
  )
}

function nodeOf(live: LiveCluster | null, host: string) {
  return (
    live?.nodes.get(host) ?? [...(live?.nodes.values() ?? [])].find(({ name }) => isSameMachine(name, host)) ?? null
  )
}

function instancesOn(live: LiveCluster | null, host: string): readonly InstanceView[] {
  const node = nodeOf(live, host)?.name
  return [...(live?.instances.values() ?? [])]
    .filter(instance => instance.node === node)
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

interface CardProps {
  readonly name: string
  readonly zone: string | null
  readonly isSource?: boolean
  readonly place?: LikelyPlace
  readonly instances: readonly Named[]
}

function PlaceCard({ name, zone, isSource = false, place, instances }: CardProps): ReactNode {
  const shown = instances.length > SHOWN ? instances.slice(0, SHOWN - 1) : instances
  return (
    <article className="place" data-source={isSource} aria-label={name}>
      <h4 className="mono spread">
        {name}
        <span className="place-zone">{zone}</span>
      </h4>
      <ul className="place-names plain-list">
        {shown.map(each => (
          <li key={each.id} data-kind={each.kind} title={each.name}>
            {each.kind === null ? null : <InstanceMark kind={each.kind} />}
            <span className="cut">{each.name}</span>
          </li>
        ))}
        {shown.length === instances.length ? null : <li className="quiet">{instances.length - shown.length} more</li>}
      </ul>
      {place === undefined || place.ramBefore === null || place.ramAfter === null ? null : (
        <p className="place-ram row">
          RAM
          <span className="place-bar meter" aria-hidden="true">
            <span style={{ width: `${place.ramBefore}%` }} />
            <span className="place-gain" style={{ width: `${Math.max(0, place.ramAfter - place.ramBefore)}%` }} />
          </span>
          {place.ramBefore} → {place.ramAfter} %
        </p>
      )}
    </article>
  )
}

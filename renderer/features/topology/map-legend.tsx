import { Button, PopoverNext } from '@blueprintjs/core'
import { DisableIcon } from '@blueprintjs/icons'
import { type ReactNode, useCallback } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { Contact, NodeState } from '../../../shared/domain/node-summary.ts'
import { STATE_WORDS } from '../../../shared/words/actions.ts'
import { LOCK_WORDS, READY_WORDS } from '../../../shared/words/nodes.ts'
import { FATES } from '../../geometry/instance-chips.ts'
import { mostOn, useEmptied } from '../../stores/emptied.ts'
import { useGhosts } from '../../stores/ghosts.ts'
import { hasBlocked } from '../../stores/node-instances.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { InstanceMark, LEGEND_WORDS, MARK_KINDS, type MarkKind, markOfAction } from '../../ui/instance-mark.tsx'
import { Lamp } from './lamp.tsx'
import { useMapSize } from './map-size.ts'
import { useFromNodes } from './node-selectors.ts'

const LOCKS = ['active', 'inactive', 'failed'] as const

interface Props {
  readonly cluster: string
}

/** Always under the map: the marks of its instances, in the shapes of the map; only those that are on it. */
export function MapLegend({ cluster }: Props): ReactNode {
  const isFar = useMapSize(({ face }) => face === 'far')
  return (
    <section className="topo-legend rigid nowrap small row" aria-label="Legend">
      {isFar ? <States cluster={cluster} /> : <Marks cluster={cluster} />}
      <PopoverNext placement="top-end" content={<AllSigns />}>
        <Button size="small" variant="minimal" text="All signs" />
      </PopoverNext>
    </section>
  )
}

function Marks({ cluster }: Props): ReactNode {
  const kinds = useKinds(cluster)
  if (kinds.length === 0) return <span className="space" />
  return (
    <>
      <b>If its node goes out:</b>
      {kinds.map(kind => (
        <span key={kind} className="topo-sign">
          <InstanceMark kind={kind} />
          {LEGEND_WORDS[kind]}
        </span>
      ))}
      <span className="space" />
    </>
  )
}

/** The kinds of marks that are on the map now. */
function useKinds(cluster: string): readonly MarkKind[] {
  const there = useFromNodes(cluster, fatesOn, sameKinds)
  // Room and server groups decide it too, which change without their nodes.
  const isBlocked = useViews(store =>
    [...(lastOf(store.byCluster.get(cluster))?.nodes.keys() ?? [])].some(name => hasBlocked(cluster, name)),
  )
  const hasLeft = useFromNodes(
    cluster,
    useCallback(
      nodes =>
        [...nodes.values()].some(
          ({ name, instances }) =>
            (mostOn(useEmptied.getState(), cluster, name)?.seen.size ?? 0) > (instances?.total ?? 0),
        ),
      [cluster],
    ),
  )
  const isArriving = useGhosts(({ held }) => held?.cluster === cluster && held.ghosts.to.size > 0)
  return MARK_KINDS.filter(
    kind =>
      there.includes(kind) ||
      (kind === 'blocked' && isBlocked) ||
      (kind === 'left' && hasLeft) ||
      (kind === 'arriving' && isArriving),
  )
}

function fatesOn(nodes: ReadonlyMap<string, NodeView>): readonly MarkKind[] {
  const all = [...nodes.values()]
  const found = new Set(
    FATES.filter(fate => all.some(({ instances }) => (instances?.[fate] ?? 0) > 0)).map(markOfAction),
  )
  return MARK_KINDS.filter(kind => found.has(kind))
}

function sameKinds(a: readonly MarkKind[], b: readonly MarkKind[]): boolean {
  return a.join() === b.join()
}

/** From far away tiles are colours. */
function States({ cluster }: Props): ReactNode {
  const states = useFromNodes(cluster, statesOf, sameStates)
  return (
    <>
      {states.map(state => (
        <Swatch key={state} state={state} />
      ))}
      <span className="space" />
    </>
  )
}

function Swatch({ state }: { readonly state: NodeState }): ReactNode {
  return (
    <span className={`topo-sign topo-state-${state}`}>
      <span className="topo-swatch" />
      {STATE_WORDS[state]}
    </span>
  )
}

function statesOf(nodes: ReadonlyMap<string, NodeView>): readonly NodeState[] {
  const found = new Set([...nodes.values()].map(({ state }) => state))
  return NodeState.options.filter(state => found.has(state))
}

function sameStates(a: readonly NodeState[], b: readonly NodeState[]): boolean {
  return a.join() === b.join()
}

/** Every sign of the map: marks, states, lamps, locks. */
function AllSigns(): ReactNode {
  return (
    <div className="topo-signs">
      <Signs title="Instances, if their node goes out">
        {MARK_KINDS.map(kind => (
          <span key={kind} className="topo-sign">
            <InstanceMark kind={kind} />
            {LEGEND_WORDS[kind]}
          </span>
        ))}
      </Signs>
      <Signs title="Nodes">
        {NodeState.options.map(state => (
          <Swatch key={state} state={state} />
        ))}
      </Signs>
      <Signs title="Kubelet">
        {Contact.options.map(ready => (
          <span key={ready} className="topo-sign">
            <Lamp ready={ready} />
            {READY_WORDS[ready]}
          </span>
        ))}
        <span className="topo-sign">
          <span className="topo-cordoned">
            <DisableIcon size={12} />
          </span>
          cordoned
        </span>
      </Signs>
      <Signs title="Locks of controllers">
        {LOCKS.map(state => (
          <span key={state} className="topo-sign">
            <span className={`topo-lock topo-lock-${state}`}>ceph</span>
            {LOCK_WORDS[state]}
          </span>
        ))}
      </Signs>
    </div>
  )
}

function Signs({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className="column">
      <h3>{title}</h3>
      {children}
    </section>
  )
}

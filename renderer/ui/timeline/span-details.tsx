import { Button } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useRef } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { STAGE_EXPLAINED, STAGE_WORDS } from '../../../shared/words/updates.ts'
import type { SpanPlace } from '../../geometry/timeline-layout.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { HostModeEditor } from '../instances/host-mode-editor.tsx'
import { SpanFacts } from './span-facts.tsx'
import './span-details.css'

interface Props {
  readonly cluster: string
  readonly timeline: UpdateTimeline
  readonly place: SpanPlace
  readonly nowMs: number
  readonly onClose: () => void
}

/** All details of one stage of one node, with links to its run and its node. Escape closes it. */
export function SpanDetails({ cluster, timeline, place, nowMs, onClose }: Props): ReactNode {
  const panel = useRef<HTMLElement>(null)
  const from = useRef<Element | null>(null)
  const { lane: laneAt, span: spanAt } = place
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows each opened span.
  useEffect(() => {
    const active = document.activeElement
    if (active !== null && panel.current?.contains(active) === false) from.current = active
    panel.current?.focus()
  }, [laneAt, spanAt])
  const close = () => {
    if (from.current instanceof HTMLElement) from.current.focus()
    onClose()
  }
  const lane = timeline.lanes[laneAt]
  const isCompute = useViews(
    store =>
      lastOf(store.byCluster.get(cluster))
        ?.nodes.get(lane?.node ?? '')
        ?.roles.includes('compute') ?? false,
  )
  const span = lane?.spans[spanAt]
  if (lane === undefined) return null
  return (
    <section
      ref={panel}
      className="tl-details floats small breaks"
      aria-label={`${lane.node}, details`}
      tabIndex={-1}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        close()
      }}
    >
      <header>
        <h2>
          {lane.node}
          {span === undefined ? '' : `: ${STAGE_WORDS[span.stage]}`}
        </h2>
        <Button size="small" variant="minimal" icon={<CrossIcon />} aria-label="Close the details" onClick={close} />
      </header>
      {span === undefined ? (
        <p className="quiet">At this moment the stage had not begun.</p>
      ) : (
        <>
          <p className="quiet">{STAGE_EXPLAINED[span.stage]}</p>
          <SpanFacts cluster={cluster} span={span} nowMs={nowMs} most={50} />
        </>
      )}
      {span?.stage === 'locks' && span.toAt === null && isCompute ? (
        <div className="tl-mode">
          <b>Mode of the node</b>
          <HostModeEditor cluster={cluster} node={lane.node} />
        </div>
      ) : null}
      <p className="tl-ways">
        <a href={hashOf(clusterRoute(cluster, 'topology', { node: lane.node }))}>The node on the map</a>
        <a href={hashOf(clusterRoute(cluster, 'instances', { node: lane.node }))}>Its instances and their modes</a>
      </p>
    </section>
  )
}

import { Button, NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { listed } from '../../../shared/grammar/counts.ts'
import { SOURCE_NAMES } from '../../../shared/words/sources.ts'
import { openView } from '../../bridge/views.ts'
import { followEmptied } from '../../stores/emptied.ts'
import { usePlanDialog } from '../../stores/plan-dialog.ts'
import { clusterRoute, turnTo, useRoute } from '../../stores/route.ts'
import { selectNodes } from '../../stores/selection.ts'
import { changeFilter, NO_FILTER } from '../../stores/topology.ts'
import { useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { Age } from '../../ui/when.tsx'
import { WindowBanner } from '../../ui/windows/window-banner.tsx'
import { selectedNow } from './chosen-nodes.ts'
import { DragRoom } from './drag-room.tsx'
import { DropZones } from './drop-zones.tsx'
import { GhostChips } from './ghost-chips.tsx'
import { MapLegend } from './map-legend.tsx'
import { NodeMenu, type OpenMenu } from './node-menu.tsx'
import { NodePanel } from './node-panel.tsx'
import { useNodeCount, useShownPlaces } from './node-selectors.ts'
import { NodeStrip } from './node-strip.tsx'
import { byCause, type OldSource, useOldSources } from './old-sources.ts'
import { useTopologyKeys } from './topology-keys.ts'
import { TopologyMap } from './topology-map.tsx'
import { TopologyToolbar } from './topology-toolbar.tsx'
import './foot.css'
import './map.css'
import './panel.css'
import './tile.css'
import './topology.css'

interface Props {
  readonly cluster: string
}

/** The nodes of one cloud as cards, and the zones to which they are dragged for maintenance. */
export function TopologyScreen({ cluster }: Props): ReactNode {
  const node = useRoute(({ place }) => (place.kind === 'cluster' ? place.node : null))
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const screen = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const old = useOldSources(cluster)
  useEffect(() => followEmptied(cluster), [cluster])

  const focusMap = useCallback((name: string | null) => {
    const tile = name === null ? null : `[data-node="${CSS.escape(name)}"]`
    const found = tile === null ? null : screen.current?.querySelector<HTMLElement>(tile)
    const target = found ?? screen.current?.querySelector<HTMLElement>('[role="option"][tabindex="0"]')
    target?.focus({ preventScroll: true })
  }, [])
  // A closed plan leaves the focus nowhere.
  useEffect(
    () =>
      usePlanDialog.subscribe(({ open: sheet }, { open: before }) => {
        if (sheet !== null || before === null) return
        requestAnimationFrame(() => {
          if (document.activeElement === document.body) focusMap(before.nodes[0] ?? null)
        })
      }),
    [focusMap],
  )
  const open = useCallback((name: string) => turnTo(clusterRoute(cluster, 'topology', { node: name })), [cluster])
  const close = useCallback(() => {
    turnTo(clusterRoute(cluster, 'topology'))
    focusMap(node)
  }, [cluster, focusMap, node])
  const openMenu = useCallback(
    (name: string, at: { readonly left: number; readonly top: number }) => {
      const selected = selectedNow(cluster)
      if (!selected.includes(name)) selectNodes(cluster, [name])
      setMenu({ node: name, nodes: selected.includes(name) ? selected : [name], ...at })
    },
    [cluster],
  )
  const closeMenu = useCallback(() => {
    setMenu(null)
    focusMap(menu?.node ?? null)
  }, [focusMap, menu])

  return (
    <DragRoom cluster={cluster}>
      <div ref={screen} className={['topo column', ...old.map(({ name }) => `topo-old-${name}`)].join(' ')}>
        <h1 className="visually-hidden">Map of {cluster}</h1>
        <WindowBanner cluster={cluster} />
        <TopologyToolbar cluster={cluster} search={search} onLeaveSearch={() => focusMap(null)} />
        <Status cluster={cluster} />
        <SourcesNotice old={old} />
        <div className="topo-middle">
          <MapOrWhyNot cluster={cluster}>
            <TopologyMap cluster={cluster} current={node} onOpen={open} onClose={close} onMenu={openMenu} />
          </MapOrWhyNot>
          {node === null ? null : <NodePanel key={node} cluster={cluster} name={node} onClose={close} />}
        </div>
        <MapLegend cluster={cluster} />
        <NodeStrip cluster={cluster} onOpen={open} />
        <DropZones cluster={cluster} />
        <GhostChips cluster={cluster} />
        <NodeMenu cluster={cluster} open={menu} onClose={closeMenu} onOpenPanel={open} />
        <Keys cluster={cluster} search={search} />
      </div>
    </DragRoom>
  )
}

interface KeysProps extends Props {
  readonly search: RefObject<HTMLInputElement | null>
}

/** Draws nothing: keys reach the drag only from within its room. */
function Keys(props: KeysProps): ReactNode {
  useTopologyKeys(props)
  return null
}

/** A note while the picture is not current. */
function Status({ cluster }: Props): ReactNode {
  const state = useViews(store => store.byCluster.get(cluster))
  const count = useNodeCount(cluster)
  if (state?.kind !== 'failed' || count === 0) return null
  return (
    <div className="banner toned" data-tone="failed" role="alert">
      <b>This is the last known state of {cluster}.</b> {state.failure.message}{' '}
      <button type="button" className="link" onClick={() => void openView(cluster)}>
        Try again
      </button>
    </div>
  )
}

interface WhyNotProps extends Props {
  readonly children: ReactNode
}

function MapOrWhyNot({ cluster, children }: WhyNotProps): ReactNode {
  const state = useViews(store => store.byCluster.get(cluster))
  const count = useNodeCount(cluster)
  const shown = useShownPlaces(cluster).length
  if (count === 0 && (state === undefined || state.kind === 'opening')) {
    return <NonIdealState className="topo-nothing" icon={<Spinner size={24} />} title={`Opening ${cluster}`} />
  }
  if (count === 0 && state?.kind === 'failed') {
    return (
      <div className="topo-nothing">
        <FailureCallout
          title={`${cluster} cannot be read`}
          failure={state.failure}
          onRetry={() => void openView(cluster)}
        />
      </div>
    )
  }
  if (count === 0) {
    return (
      <NonIdealState
        className="topo-nothing"
        title={`${cluster} has no nodes`}
        description="Its API server answers, and lists none. Nodes appear here when they join."
      />
    )
  }
  if (shown === 0) {
    return (
      <NonIdealState
        className="topo-nothing"
        title="No node matches the filter"
        description={`${cluster} has ${count} nodes; search and filter hide all of them.`}
        action={<Button text="Show all" onClick={() => changeFilter(cluster, NO_FILTER)} />}
      />
    )
  }
  return <div className={`topo-live grow${state?.kind === 'open' ? '' : ' topo-last-picture'}`}>{children}</div>
}

/** Old facts on the map, since when and why: one line per cause. */
function SourcesNotice({ old }: { readonly old: readonly OldSource[] }): ReactNode {
  if (old.length === 0) return null
  return (
    <div role="status">
      <ul className="banner plain-list row wrap small toned" data-tone="waits" aria-label="Old facts">
        {byCause(old).map(({ names, since, why }) => (
          <li key={names.join()}>
            <b>{listed(names.map(name => SOURCE_NAMES[name]))}</b>
            {since === null ? ' not read yet' : ' as of '}
            {since === null ? null : <Age at={since} />}
            {`: ${why}`}
          </li>
        ))}
      </ul>
    </div>
  )
}

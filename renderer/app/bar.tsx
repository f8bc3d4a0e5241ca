import { Button, PopoverNext, Tag } from '@blueprintjs/core'
import { CogIcon, HelpIcon, SearchIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { SourceName } from '../../shared/domain/cluster-view.ts'
import { useClusterColour, useClusters } from '../stores/clusters.ts'
import { useConsole } from '../stores/console.ts'
import { openOverlay } from '../stores/overlay.ts'
import { CLUSTER_SCREENS, clusterRoute, hashOf, type Route } from '../stores/route.ts'
import { PLACE_WORDS, SCREEN_WORDS } from '../ui/screens.ts'
import { slots } from '../ui/slots.ts'
import { SourceAge } from '../ui/source-age.tsx'
import { Bell } from './bell.tsx'
import { PreferencesMenu } from './preferences-menu.tsx'

/** The bar above every screen: the current cluster, its screens, and the age of the data. */
export function Bar({ place }: { readonly place: Route }): ReactNode {
  const demo = useConsole(store => store.description?.demo ?? false)
  const { DemoMenu } = slots()
  return (
    <header className="bar">
      {place.kind === 'cluster' ? (
        <ClusterPart place={place} />
      ) : (
        <span className="bar-name cut">{PLACE_WORDS[place.kind]}</span>
      )}
      <span className="space" />
      {demo ? (
        <Tag minimal title="Demo: nothing here is real">
          Demo<span className="bar-demo">: nothing here is real</span>
        </Tag>
      ) : null}
      {demo && DemoMenu !== null ? <DemoMenu /> : null}
      {place.kind === 'cluster' ? <SourceAge cluster={place.cluster} sources={SourceName.options} /> : null}
      <button
        type="button"
        className="bar-find"
        onClick={() => openOverlay('palette')}
        aria-label="Find node, instance, run Ctrl K"
        aria-keyshortcuts="Control+K"
        title="Find or do anything (Ctrl+K)"
      >
        <SearchIcon />
        <span>Find node, instance, run</span> <kbd className="keys">Ctrl K</kbd>
      </button>
      <Button
        variant="minimal"
        icon={<HelpIcon />}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => openOverlay('shortcuts')}
      />
      <Bell />
      <PopoverNext content={<PreferencesMenu />} placement="bottom-end">
        <Button variant="minimal" icon={<CogIcon />} aria-label="Preferences" title="Preferences" />
      </PopoverNext>
    </header>
  )
}

function ClusterPart({ place }: { readonly place: Extract<Route, { kind: 'cluster' }> }): ReactNode {
  const cluster = useClusters(store =>
    store.list.kind === 'listed' ? store.list.byName.get(place.cluster) : undefined,
  )
  const colour = useClusterColour(place.cluster)
  return (
    <>
      <span className="bar-cluster row">
        {cluster === undefined ? null : <span className="cluster-dot" style={{ background: colour }} />}
        <span className="bar-name cut" title={place.cluster}>
          {place.cluster}
        </span>
        {cluster?.production ? <span className="tag-production">PRODUCTION</span> : null}
      </span>
      <nav className="bar-screens" aria-label={`Screens of ${place.cluster}`}>
        {CLUSTER_SCREENS.map(screen => (
          <a
            key={screen}
            className="bar-screen"
            href={hashOf(clusterRoute(place.cluster, screen))}
            aria-current={screen === place.screen ? 'page' : undefined}
          >
            {SCREEN_WORDS[screen]}
          </a>
        ))}
      </nav>
    </>
  )
}

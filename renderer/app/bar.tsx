import { Button, Tag } from '@blueprintjs/core'
import { HelpIcon, SearchIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { SourceName } from '../../shared/domain/cluster-view.ts'
import { useClusterColour, useClusters } from '../stores/clusters.ts'
import { useConsole } from '../stores/console.ts'
import { openOverlay } from '../stores/overlay.ts'
import { clusterRoute, hashOf, type Route } from '../stores/route.ts'
import { keyWords } from '../ui/keys.ts'
import { later } from '../ui/later.tsx'
import { PLACE_WORDS, SCREEN_WORDS, screensOf } from '../ui/screens.ts'
import { slots } from '../ui/slots.ts'

// What floats over the bar comes a moment after it: placing it takes a tenth of the page's script.
const Bell = later(async () => (await import('./bell.tsx')).Bell, null)
const SourceAge = later(async () => (await import('../ui/source-age.tsx')).SourceAge, null)

/** The bar above every screen: the current cloud, its tabs, the age of the data, the search, help and the bell. */
export function Bar({ place }: { readonly place: Route }): ReactNode {
  const demo = useConsole(store => store.description?.demo ?? false)
  const { DemoMenu } = slots()
  return (
    <header className="bar row">
      {place.kind === 'cluster' ? (
        <ClusterPart place={place} />
      ) : (
        <b className="bar-name cut">{PLACE_WORDS[place.kind]}</b>
      )}
      <span className="space" />
      {place.kind === 'cluster' ? <SourceAge cluster={place.cluster} sources={SourceName.options} /> : null}
      {demo ? (
        <Tag minimal title="Nothing here is real">
          Demo
        </Tag>
      ) : null}
      {demo && DemoMenu !== null ? <DemoMenu /> : null}
      <button
        type="button"
        className="bar-find bare row"
        onClick={() => openOverlay('palette')}
        aria-label={`Find anything ${keyWords('mod+k')}`}
        aria-keyshortcuts="Control+K"
        title={`Find or do anything (${keyWords('mod+k')})`}
      >
        <SearchIcon />
        <span className="grow cut">Find anything</span> <kbd className="keys">{keyWords('mod+k')}</kbd>
      </button>
      <Button
        variant="minimal"
        icon={<HelpIcon />}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => openOverlay('shortcuts')}
      />
      <Bell />
    </header>
  )
}

function ClusterPart({ place }: { readonly place: Extract<Route, { kind: 'cluster' }> }): ReactNode {
  const { cluster: name, screen: shown } = place
  const cluster = useClusters(store => (store.list.kind === 'listed' ? store.list.byName.get(name) : undefined))
  const colour = useClusterColour(name)
  const screens = screensOf(cluster?.flavour)
  // The timeline of a run over many nodes has no separate tab without the maintenance API: it is part of the history.
  const here = screens.includes(shown) ? shown : 'history'
  return (
    <>
      <span className="bar-cluster row">
        {cluster === undefined ? null : <span className="dot" style={{ background: colour }} />}
        <b className="bar-name cut" title={name}>
          {name}
        </b>
        {cluster?.production ? <span className="badge tag-production">Production</span> : null}
      </span>
      <nav className="bar-screens" aria-label={`Screens of ${name}`}>
        {screens.map(screen => (
          <a
            key={screen}
            className="bar-screen"
            href={hashOf(clusterRoute(name, screen))}
            aria-current={screen === here ? 'page' : undefined}
          >
            {SCREEN_WORDS[screen]}
          </a>
        ))}
      </nav>
    </>
  )
}

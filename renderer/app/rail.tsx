import { CalendarIcon, CloudIcon, CogIcon, HistoryIcon, HomeIcon, PlusIcon, TwoColumnsIcon } from '@blueprintjs/icons'
import type { ComponentType, ReactNode } from 'react'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { useClusterColour, useClusters } from '../stores/clusters.ts'
import { useConnection } from '../stores/connection.ts'
import { clusterRoute, hashOf, type Route, useRoute } from '../stores/route.ts'
import { openRunsOf, useRuns } from '../stores/runs.ts'
import { useTicks } from '../stores/ticks.ts'
import { lastOf, useViews } from '../stores/views.ts'
import { statusAt, useWindows } from '../stores/windows.ts'
import { clusterNote, nodeCounts } from '../ui/clusters/cluster-status.ts'
import { useNeeds } from '../ui/needs/use-needs.ts'
import { screensOf } from '../ui/screens.ts'
import mark from './mark.svg'
import { useKnowsRunner } from './wings.tsx'
import '../ui/runs/runs.css'
import './rail.css'

/** The five places at the left, and each cloud under its own. Below 1200 px only their icons. */
export function Rail(): ReactNode {
  const list = useClusters(store => store.list)
  const { kind } = useRoute(store => store.place)
  const { needs } = useNeeds()
  const open = useOpenWindows()
  const knowsRunner = useKnowsRunner()
  const clusters = list.kind === 'listed' ? [...list.byName.values()] : []
  return (
    <nav className="rail column" aria-label="Places">
      <a className="rail-brand row" href={hashOf({ kind: 'home' })} title="Lockkeeper" tabIndex={-1}>
        <img src={mark} alt="" width="24" height="24" />
        <b className="rail-word">Lockkeeper</b>
      </a>
      <Place
        to={{ kind: 'home' }}
        name="Home"
        Icon={HomeIcon}
        isHere={kind === 'home'}
        note={needs.length === 0 ? null : { count: needs.length, tone: 'waits', words: `${needs.length} need you` }}
      />
      <div className="rail-clouds column">
        <div className="rail-clouds-head row">
          <Place
            to={{ kind: 'clouds' }}
            name="Clouds"
            Icon={CloudIcon}
            isHere={kind === 'clouds' || kind === 'add-cluster'}
          />
          <a className="rail-add" href={hashOf({ kind: 'add-cluster' })} aria-label="Add a cloud" title="Add a cloud">
            <PlusIcon />
          </a>
        </div>
        <ul className="plain-list">
          {clusters.map(cluster => (
            <li key={cluster.name}>
              <RailCloud cluster={cluster} />
            </li>
          ))}
        </ul>
      </div>
      <Place
        to={{ kind: 'windows' }}
        name="Schedule"
        Icon={CalendarIcon}
        isHere={kind === 'windows' || kind === 'window' || kind === 'new-window'}
        note={open}
      />
      {knowsRunner ? (
        <Place
          to={{ kind: 'campaigns' }}
          name="Campaigns"
          Icon={TwoColumnsIcon}
          isHere={kind === 'campaigns' || kind === 'campaign' || kind === 'new-campaign'}
        />
      ) : null}
      <Place
        to={{ kind: 'history', part: 'log', cluster: null }}
        name="History"
        Icon={HistoryIcon}
        isHere={kind === 'history'}
      />
      <Place to={{ kind: 'settings' }} name="Settings" Icon={CogIcon} isHere={kind === 'settings'} />
    </nav>
  )
}

interface PlaceNote {
  readonly count: number
  readonly tone: 'waits' | 'rest'
  /** The same for a tooltip. */
  readonly words: string
}

interface PlaceProps {
  readonly to: Route
  readonly name: string
  readonly Icon: ComponentType
  readonly isHere: boolean
  readonly note?: PlaceNote | null
}

function Place({ to, name, Icon, isHere, note = null }: PlaceProps): ReactNode {
  return (
    <a
      className="rail-place rigid quiet row"
      href={hashOf(to)}
      aria-current={isHere ? 'page' : undefined}
      title={note === null ? name : `${name}: ${note.words}`}
    >
      <Icon />
      <span className="rail-word">{name}</span>
      {note === null ? null : (
        <span className="rail-count small strong" data-tone={note.tone}>
          {note.count}
        </span>
      )}
    </a>
  )
}

/** The open windows; one past its end waits. */
function useOpenWindows(): PlaceNote | null {
  const list = useWindows(store => store.list)
  const figures = useTicks(({ nowMs }) => {
    const now = (list ?? []).map(each => statusAt(each, nowMs))
    return `${now.filter(each => each === 'open').length} ${now.filter(each => each === 'overrunning').length}`
  })
  const [open = 0, late = 0] = figures.split(' ').map(Number)
  if (open + late === 0) return null
  return {
    count: open + late,
    tone: late > 0 ? 'waits' : 'rest',
    words: `${counted(open + late, 'window')} open${late > 0 ? ', one is past its end' : ''}`,
  }
}

function RailCloud({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { name, production, flavour } = cluster
  const place = useRoute(store => store.place)
  const state = useViews(store => store.byCluster.get(name))
  const open = openRunsOf(
    useRuns(store => store.list),
    name,
  )
  const colour = useClusterColour(name)
  const connected = useConnection(({ connection }) => connection.kind === 'connected')
  const minute = useTicks(({ nowMs }) => Math.floor(nowMs / 60_000))
  const note = clusterNote(open, state, connected, minute * 60_000)
  const counts = nodeCounts(lastOf(state), open)
  const isHere = place.kind === 'cluster' && place.cluster === name
  // Switching clouds keeps the current screen.
  const screen = place.kind === 'cluster' && screensOf(flavour).includes(place.screen) ? place.screen : 'topology'
  const said = [name, production ? 'production' : null, note.text, note.why].filter(text => text !== null)
  return (
    <a
      className="rail-cloud"
      href={hashOf(clusterRoute(name, screen))}
      aria-current={isHere ? 'page' : undefined}
      title={said.join(' · ')}
      data-tone={note.text === null ? undefined : note.tone}
    >
      <span className="dot" style={{ background: colour }} />
      <span className="rail-word cut strong">{name}</span>
      {counts === null || counts.inService === counts.all ? null : (
        <span className="rail-word small quiet" title={`${counts.inService} of ${counts.all} nodes in service`}>
          {counts.inService}/{counts.all}
        </span>
      )}
      {note.text === null && !production ? null : (
        <span className="rail-note rail-word cut small">
          {production ? <b className="word-production">Production</b> : null}
          {production && note.text !== null ? ' · ' : null}
          {note.text === null ? null : <span className="toned">{note.text}</span>}
        </span>
      )}
    </a>
  )
}

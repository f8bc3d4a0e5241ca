import { type ReactNode, useEffect, useState } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { useClusters } from '../../stores/clusters.ts'
import { useConnection } from '../../stores/connection.ts'
import { isFinished, useRuns } from '../../stores/runs.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { areNodesOld, nodeCounts } from '../../ui/clusters/cluster-status.ts'
import { isOutOfService } from '../../ui/clusters/out-of-service.ts'
import { useDemoGuide } from '../../ui/guide/use-guide.ts'
import { useNeeds } from '../../ui/needs/use-needs.ts'
import { useLiveRuns } from '../../ui/runs/use-live-runs.ts'
import { CloudRows } from './cloud-rows.tsx'
import { HomeDone } from './home-done.tsx'
import { HomeGuide } from './home-guide.tsx'
import { HomeNeeds } from './home-needs.tsx'
import { HomeOut } from './home-out.tsx'
import { HomeRunning } from './home-running.tsx'
import { HomeSection } from './home-section.tsx'
import { HomeWindow } from './home-window.tsx'
import { NoClouds } from './no-clouds.tsx'
import { useFileDrop } from './use-file-drop.ts'
import './home.css'

/** The first screen: what needs you, what runs, what is out of service, what was done; clouds and the next window at the side. */
export function HomeScreen(): ReactNode {
  const list = useClusters(store => store.list)
  const reading = useClusters(store => store.reading)
  const drop = useFileDrop()
  const clusters = list.kind === 'listed' ? [...list.byName.values()] : []
  return (
    <div className="home" data-drop={drop.over} aria-busy={reading} {...drop.handlers}>
      {list.kind === 'unread' ? (
        <div className="home-main">
          <header className="home-head">
            <h1>Connecting…</h1>
          </header>
          <Skeleton />
        </div>
      ) : clusters.length === 0 ? (
        <>
          <h1 className="visually-hidden">Home</h1>
          <NoClouds list={list} />
        </>
      ) : (
        <Home clusters={clusters} />
      )}
    </div>
  )
}

function Home({ clusters }: { readonly clusters: readonly Cluster[] }): ReactNode {
  const list = useRuns(store => store.list)
  const needs = useNeeds()
  const guide = useDemoGuide()
  const running = useLiveRuns().filter(run => !isFinished(run))
  const seen = useSeen(clusters, list ?? [])
  const isSettled = useSettled(list !== null && seen.waiting === 0)
  const title = !isSettled
    ? `Connecting to ${counted(clusters.length, 'cloud')}…`
    : needs.needs.length > 0
      ? `${counted(needs.needs.length, 'thing needs', 'things need')} you`
      : seen.silent > 0
        ? `${seen.silent} of ${counted(clusters.length, 'cloud')} ${seen.silent === 1 ? 'does' : 'do'} not answer`
        : guide !== null
          ? 'Welcome to the demo'
          : needs.isRead
            ? 'Nothing needs you'
            : 'Reading what needs you…'
  return (
    <>
      <div className="home-main">
        <header className="home-head">
          <h1>{title}</h1>
          {isSettled ? <p className="quiet">{factsOf(seen, running.length, needs.unread.length)}</p> : null}
        </header>
        {isSettled ? (
          <>
            <HomeNeeds needs={needs.needs} />
            {guide === null || guide.now === null ? null : <HomeGuide guide={guide} />}
            <HomeRunning runs={running} />
            <HomeOut nodes={seen.out} runs={list ?? []} />
            <HomeDone runs={list ?? []} />
          </>
        ) : (
          <Skeleton />
        )}
      </div>
      <div className="home-side">
        <HomeSection title="Clouds" note="nodes in service">
          <CloudRows clusters={clusters} />
        </HomeSection>
        <HomeWindow />
      </div>
    </>
  )
}

/** Rows in their final height, until every cloud has answered. */
function Skeleton(): ReactNode {
  return (
    <div className="home-part home-skeleton" aria-hidden="true">
      {[1, 2, 3].map(row => (
        <div key={row} className="home-row">
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}

/** How long the page waits for all clouds before it shows what it knows. */
const PATIENCE_MS = 3_000

function useSettled(isAllRead: boolean): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), PATIENCE_MS)
    return () => window.clearTimeout(timer)
  }, [])
  return isAllRead || isLate
}

interface Seen {
  readonly clouds: number
  readonly nodes: number
  readonly inService: number
  readonly out: readonly Parameters<typeof HomeOut>[0]['nodes'][number][]
  /** Clouds that are still being asked, and those without an answer. */
  readonly waiting: number
  readonly silent: number
}

/** What all clouds together show. */
function useSeen(clusters: readonly Cluster[], runs: readonly RunSummary[]): Seen {
  const connected = useConnection(({ connection }) => connection.kind === 'connected')
  const states = useViews(useShallow(({ byCluster }) => clusters.map(({ name }) => byCluster.get(name))))
  const pictures = clusters.map(({ name }, at) => ({ name, state: states[at], live: lastOf(states[at]) }))
  const counts = pictures.flatMap(({ live }) => nodeCounts(live, []) ?? [])
  const isWaiting = ({ state, live }: (typeof pictures)[number]) =>
    state === undefined ||
    state.kind === 'opening' ||
    (state.kind === 'open' && nodeCounts(live, []) === null && !areNodesOld(state))
  const waiting = pictures.filter(isWaiting)
  return {
    clouds: clusters.length,
    nodes: counts.reduce((sum, { all }) => sum + all, 0),
    inService: counts.reduce((sum, { inService }) => sum + inService, 0),
    out: pictures.flatMap(({ name, live }) =>
      [...(live?.nodes.values() ?? [])]
        .filter(node => isOutOfService(name, node, runs))
        .map(node => ({ cluster: name, node })),
    ),
    waiting: waiting.length,
    silent: pictures.filter(each => !isWaiting(each) && (!connected || areNodesOld(each.state))).length,
  }
}

/** `39 of 43 nodes in service, 2 runs, 2 nodes out`. */
function factsOf({ clouds, nodes, inService, out, waiting, silent }: Seen, runs: number, runners: number): string {
  const all = waiting + silent === 0 && inService === nodes
  return [
    ...(all
      ? [counted(clouds, 'cloud'), counted(nodes, 'node'), 'all in service']
      : [`${inService} of ${counted(nodes, 'node')} in service`]),
    ...(runs === 0 ? [] : [counted(runs, 'run')]),
    ...(out.length === 0 ? [] : [`${counted(out.length, 'node')} out`]),
    ...(runners === 0 ? [] : ['not all campaigns read']),
    ...(waiting === 0 ? [] : [`${counted(waiting, 'cloud')} still connecting`]),
  ].join(', ')
}

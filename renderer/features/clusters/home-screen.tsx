import { type ReactNode, useEffect, useState } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { useClusters } from '../../stores/clusters.ts'
import { useConnection } from '../../stores/connection.ts'
import { isJournalOnlyRead, useJournal } from '../../stores/journal.ts'
import { isFinished, useRuns } from '../../stores/runs.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { areNodesOld, nodeCounts } from '../../ui/clusters/cluster-status.ts'
import { isOutOfService } from '../../ui/clusters/out-of-service.ts'
import { useDemoGuide } from '../../ui/guide/use-guide.ts'
import { useNeeds } from '../../ui/needs/use-needs.ts'
import { useLiveRuns } from '../../ui/runs/use-live-runs.ts'
import { CloudRows } from './cloud-rows.tsx'
import { type AllClouds, homeFacts, homeTitle, isPartlyOld } from './home-claims.ts'
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
  const isJournalWhole = !useJournal(isJournalOnlyRead)
  const title = homeTitle(seen, {
    needs: needs.needs.length,
    isSettled,
    isRead: needs.isRead,
    unread: needs.unread.length,
    isJournalWhole,
    isGuided: guide !== null,
  })
  return (
    <>
      <div className="home-main">
        <header className="home-head">
          <h1>{title}</h1>
          {isSettled ? <p className="quiet">{homeFacts(seen, running.length, needs.unread.length)}</p> : null}
        </header>
        {isSettled ? (
          <>
            <HomeNeeds needs={needs.needs} />
            {guide === null || guide.now === null ? null : <HomeGuide guide={guide} />}
            <HomeRunning runs={running} />
            <HomeOut nodes={seen.outNodes} runs={list ?? []} />
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

interface Seen extends AllClouds {
  readonly outNodes: Parameters<typeof HomeOut>[0]['nodes']
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
  const isSilent = (each: (typeof pictures)[number]) => !connected || areNodesOld(each.state)
  const waiting = pictures.filter(isWaiting)
  const known = pictures.filter(each => !isWaiting(each))
  const outNodes = pictures.flatMap(each =>
    [...(each.live?.nodes.values() ?? [])]
      .filter(node => isOutOfService(each.name, node, runs))
      .map(node => ({ cluster: each.name, node, isLastSeen: isSilent(each) || isPartlyOld(each.state) })),
  )
  return {
    clouds: clusters.length,
    nodes: counts.reduce((sum, { all }) => sum + all, 0),
    inService: counts.reduce((sum, { inService }) => sum + inService, 0),
    out: outNodes.length,
    outNodes,
    waiting: waiting.length,
    silent: known.filter(isSilent).length,
    partly: known.filter(each => !isSilent(each) && isPartlyOld(each.state)).length,
  }
}

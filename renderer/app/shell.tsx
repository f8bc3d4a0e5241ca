import { Button, Classes } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { assertNever } from '../../shared/domain/must.ts'
import { startBridge } from '../bridge/start.ts'
import { showCluster, watchCluster } from '../bridge/views.ts'
import { useClusters } from '../stores/clusters.ts'
import { useConnection } from '../stores/connection.ts'
import { useJournal } from '../stores/journal.ts'
import { useOverlay } from '../stores/overlay.ts'
import { usePlanDialog } from '../stores/plan-dialog.ts'
import { usePreferences } from '../stores/preferences.ts'
import { hashOf, type Route, useRoute } from '../stores/route.ts'
import { useSeveral } from '../stores/several.ts'
import { lastRead } from '../stores/updates.ts'
import { useViews } from '../stores/views.ts'
import { later, loadLater } from '../ui/later.tsx'
import { PLACE_WORDS, SCREEN_WORDS } from '../ui/screens.ts'
import { Age } from '../ui/when.tsx'
import { Bar } from './bar.tsx'
import { useHotkeys } from './hotkeys.ts'
import { Rail } from './rail.tsx'
import { useShellCommands } from './shell-commands.ts'
import { Toasts } from './toasts.tsx'
import { followWings, screenOfWing } from './wings.tsx'
import './shell.css'

const HomeScreen = later(async () => (await import('../features/clusters/home-screen.tsx')).HomeScreen)
const InstancesScreen = later(async () => (await import('../features/instances/instances-screen.tsx')).InstancesScreen)
const PlanDialog = later(async () => (await import('../features/plan/plan-dialog.tsx')).PlanDialog, null)
const RunPage = later(async () => (await import('../features/runs/run-page.tsx')).RunPage)
const RunsScreen = later(async () => (await import('../features/runs/runs-screen.tsx')).RunsScreen)
const TopologyScreen = later(async () => (await import('../features/topology/topology-screen.tsx')).TopologyScreen)
const GuideStrip = later(async () => (await import('./guide-strip.tsx')).GuideStrip, null)
const LiveBar = later(async () => (await import('./live-bar.tsx')).LiveBar, null)
const Palette = later(async () => (await import('./palette.tsx')).Palette, null)
const ShortcutsDialog = later(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog, null)
const AddClusterScreen = later(
  async () => (await import('../features/clusters/add-cluster-screen.tsx')).AddClusterScreen,
)
const CloudsScreen = later(async () => (await import('../features/clusters/clouds-screen.tsx')).CloudsScreen)
const ConsoleSettingsScreen = later(
  async () => (await import('../features/settings/console-settings-screen.tsx')).ConsoleSettingsScreen,
)
const HistoryScreen = later(async () => (await import('../features/history/history-screen.tsx')).HistoryScreen)
const SettingsScreen = later(async () => (await import('../features/settings/settings-screen.tsx')).SettingsScreen)
const SeveralDialog = later(async () => (await import('../features/timeline/several-dialog.tsx')).SeveralDialog)
const UpdateScreen = later(async () => (await import('../features/timeline/update-screen.tsx')).UpdateScreen)
const NewWindowScreen = later(async () => (await import('../features/windows/new-window-screen.tsx')).NewWindowScreen)
const WindowScreen = later(async () => (await import('../features/windows/window-screen.tsx')).WindowScreen)
const WindowsScreen = later(async () => (await import('../features/windows/windows-screen.tsx')).WindowsScreen)

const DARK = '(prefers-color-scheme: dark)'

/** The question about several nodes; its code loads when it is asked. */
function Several(): ReactNode {
  const open = useSeveral(store => store.open)
  return open === null ? null : (
    <SeveralDialog key={[open.cluster, ...open.nodes].join(' ')} cluster={open.cluster} nodes={open.nodes} />
  )
}

/** What lies over a screen while it is open; its code loads then. */
function Overlays(): ReactNode {
  const overlay = useOverlay(store => store.open)
  const plan = usePlanDialog(store => store.open !== null)
  return (
    <>
      {plan ? <PlanDialog /> : null}
      {overlay === 'palette' ? <Palette /> : null}
      {overlay === 'shortcuts' ? <ShortcutsDialog /> : null}
    </>
  )
}

/** The frame around every screen: rail, bar, banners, and the screen itself. */
export function Shell(): ReactNode {
  useEffect(startBridge, [])
  useEffect(loadLater, [])
  useEffect(followWings, [])
  useTheme()
  useHotkeys()
  useShellCommands()
  const place = useRoute(store => store.place)
  const cut = useConnection(store => ['lost', 'ended', 'not-let-in'].includes(store.connection.kind))
  const screen = useRef<HTMLElement>(null)
  const cluster = place.kind === 'cluster' ? place.cluster : null
  useEffect(() => (cluster === null ? undefined : showCluster(cluster)), [cluster])
  useAllClouds(cluster)
  useEffect(() => {
    document.title = titleOf(place)
  }, [place])
  const address = place.kind === 'cluster' ? `${place.cluster} ${place.screen}` : hashOf(place)
  // Another screen begins at its top, wherever the last one was scrolled to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the screen changes.
  useEffect(() => {
    screen.current?.scrollTo(0, 0)
  }, [address])
  return (
    <>
      <button type="button" className="skip-link" onClick={() => screen.current?.focus()}>
        Skip to the screen
      </button>
      <ProductionFrame cluster={cluster} />
      <Rail />
      <Bar place={place} />
      <div className="banners">
        <ConnectionBanner />
        <JournalBanner />
        <LiveBar place={place} />
      </div>
      <main id="screen" className="screen" data-cut={cut} ref={screen} tabIndex={-1}>
        {screenOf(place)}
      </main>
      <GuideStrip place={place} />
      <Several />
      <Overlays />
      <Toasts />
    </>
  )
}

/** Keeps all registered clouds watched, on whichever screen: what needs somebody is counted in all of them. The shown one is read first. */
function useAllClouds(shown: string | null): void {
  const names = useClusters(({ list }) => (list.kind === 'listed' ? [...list.byName.keys()].join('\n') : ''))
  const isBusy = useViews(({ byCluster }) => shown !== null && (byCluster.get(shown)?.kind ?? 'opening') === 'opening')
  useEffect(() => {
    if (isBusy) return
    for (const name of names.split('\n')) if (name !== '') watchCluster(name)
  }, [names, isBusy])
}

/** A red frame around the window while a production cloud is open. */
function ProductionFrame({ cluster }: { readonly cluster: string | null }): ReactNode {
  const production = useClusters(
    ({ list }) => cluster !== null && list.kind === 'listed' && (list.byName.get(cluster)?.production ?? false),
  )
  return production ? <div className="production-frame" /> : null
}

function titleOf(place: Route): string {
  return place.kind === 'cluster'
    ? `${place.cluster} · ${SCREEN_WORDS[place.screen]} · Lockkeeper`
    : `${PLACE_WORDS[place.kind]} · Lockkeeper`
}

function screenOf(place: Route): ReactNode {
  switch (place.kind) {
    case 'home':
      return <HomeScreen />
    case 'clouds':
      return <CloudsScreen />
    case 'settings':
      return <ConsoleSettingsScreen />
    case 'add-cluster':
      return <AddClusterScreen />
    case 'history':
      return <HistoryScreen part={place.part} cluster={place.cluster} />
    case 'windows':
      return <WindowsScreen />
    case 'window':
      return <WindowScreen key={place.id} id={place.id} starts={place.starts === true} />
    case 'new-window':
      return <NewWindowScreen cluster={place.cluster} times={place.times ?? null} />
    case 'campaigns':
    case 'campaign':
    case 'new-campaign':
      return screenOfWing(place)
    case 'cluster':
      switch (place.screen) {
        case 'topology':
          return <TopologyScreen key={place.cluster} cluster={place.cluster} />
        case 'instances':
          return <InstancesScreen key={place.cluster} cluster={place.cluster} />
        case 'update':
          return (
            <UpdateScreen
              key={place.cluster}
              cluster={place.cluster}
              run={runId => <RunPage key={runId} runId={runId} />}
            />
          )
        case 'history':
          return <RunsScreen key={place.cluster} cluster={place.cluster} />
        case 'settings':
          return <SettingsScreen key={place.cluster} cluster={place.cluster} />
        default:
          return assertNever(place.screen, 'screen of a cluster')
      }
    default:
      return assertNever(place, 'place')
  }
}

/** Draws the page light or dark, as the operator or the system prefers. Blueprint follows a class on the body. */
function useTheme(): void {
  const theme = usePreferences(store => store.preferences.theme)
  useEffect(() => {
    const system = window.matchMedia(DARK)
    const draw = () => {
      const dark = theme === 'dark' || (theme === 'system' && system.matches)
      document.documentElement.dataset.theme = dark ? 'dark' : 'light'
      document.body.classList.toggle(Classes.DARK, dark)
    }
    draw()
    system.addEventListener('change', draw)
    return () => system.removeEventListener('change', draw)
  }, [theme])
}

/** Says that the page is no longer current, since when, and what Lockkeeper does about it. */
function ConnectionBanner(): ReactNode {
  const connection = useConnection(store => store.connection)
  switch (connection.kind) {
    case 'connecting':
    case 'connected':
      return null
    case 'lost':
      return (
        <div className="banner row toned" data-tone="waits" role="status">
          <span>
            The connection to the console broke <Age at={connection.since} />. This page is old; Lockkeeper connects
            again automatically. If the console has ended, start it again and resume its runs.
          </span>
        </div>
      )
    case 'not-let-in':
      return (
        <div className="banner row toned" data-tone="failed" role="alert">
          <span>{connection.why}</span>
        </div>
      )
    case 'ended':
      return (
        <div className="banner row toned" data-tone="failed" role="alert">
          <span>
            The console ended <Age at={connection.since} />: {connection.why}. Another console can resume its runs.
          </span>
          <Button size="small" text="Reload" onClick={() => window.location.reload()} />
        </div>
      )
  }
}

/** Shortens digests; the tooltip holds the whole digest. */
function withShortHashes(text: string): string {
  return text.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1…')
}

/** Says on every screen that the journal cannot be written, so nothing can start, and why. */
function JournalBanner(): ReactNode {
  const why = useJournal(store => lastRead(store.status)?.readOnly ?? null)
  if (why === null) return null
  return (
    <div className="banner row toned" data-tone="waits" role="status">
      <span title={why}>
        <b>The journal is read-only.</b> {withShortHashes(why)}
      </span>
      <a className="nowrap" href={hashOf({ kind: 'history', part: 'journal', cluster: null })}>
        The journal
      </a>
    </div>
  )
}

import { useMemo } from 'react'
import type { ClusterFlavour } from '../../shared/domain/cluster.ts'
import { changePreferences } from '../bridge/preferences.ts'
import { useClusters } from '../stores/clusters.ts'
import { type ConsoleCommand, useCommands } from '../stores/commands.ts'
import { openOverlay } from '../stores/overlay.ts'
import { usePreferences } from '../stores/preferences.ts'
import { clusterRoute, goTo, type Route, useRoute } from '../stores/route.ts'
import { openUpdate } from '../stores/update-wish.ts'
import { SCREEN_WORDS, screensOf } from '../ui/screens.ts'
import { commandsOfWings, useKnowsRunner } from './wings.tsx'

const GO_KEYS = { topology: 'g t', instances: 'g i', update: 'g u', history: 'g r', settings: 'g s' } as const

export function useShellCommands(): void {
  const place = useRoute(store => store.place)
  const list = useClusters(store => store.list)
  const knowsRunner = useKnowsRunner()
  const commands = useMemo(() => {
    const clusters = list.kind === 'listed' ? [...list.byName.values()] : []
    const flavour = place.kind === 'cluster' ? clusters.find(({ name }) => name === place.cluster)?.flavour : undefined
    return [
      ...placeCommands(place),
      ...goCommands(place, flavour),
      ...clusters.flatMap(({ name, flavour }, at) => clusterCommands(name, flavour, at, place)),
      ...commandsOfWings(knowsRunner),
      ...lookCommands(),
    ]
  }, [place, list, knowsRunner])
  useCommands(commands)
}

function goCommands(place: Route, flavour: ClusterFlavour | undefined): readonly ConsoleCommand[] {
  if (place.kind !== 'cluster') return []
  return screensOf(flavour).map(screen => ({
    id: `go.${screen}`,
    title: `${SCREEN_WORDS[screen]} of ${place.cluster}`,
    group: 'Go to',
    keys: GO_KEYS[screen],
    run: () => goTo(clusterRoute(place.cluster, screen)),
  }))
}

function clusterCommands(name: string, flavour: ClusterFlavour, at: number, place: Route): readonly ConsoleCommand[] {
  const screen = place.kind === 'cluster' && screensOf(flavour).includes(place.screen) ? place.screen : 'topology'
  return [
    {
      id: `cluster.${name}`,
      title: `Switch to ${name}`,
      group: 'Clouds',
      keys: at < 9 ? `${at + 1}` : null,
      run: () => goTo(clusterRoute(name, screen)),
    },
    {
      id: `update.${name}`,
      title: flavour === 'mosk' ? `Update ${name}…` : `Maintain nodes of ${name} one after another…`,
      group: 'Plan',
      keys: null,
      run: () => openUpdate(name),
    },
  ]
}

function placeCommands(place: Route): readonly ConsoleCommand[] {
  const to = (id: string, title: string, keys: string | null, route: Route): ConsoleCommand => ({
    id,
    title,
    group: 'Go to',
    keys,
    run: () => goTo(route),
  })
  const cluster = place.kind === 'cluster' ? place.cluster : null
  return [
    to('home', 'Home', 'g o', { kind: 'home' }),
    to('clouds', 'Clouds', 'g c', { kind: 'clouds' }),
    to('windows', 'Schedule', 'g w', { kind: 'windows' }),
    to('history', 'History', 'g h', { kind: 'history', part: 'log', cluster: null }),
    to('settings', 'Settings of this console', null, { kind: 'settings' }),
    {
      ...to('new-window', cluster === null ? 'New window' : `New window on ${cluster}`, null, {
        kind: 'new-window',
        cluster,
      }),
      group: 'Schedule',
    },
    { ...to('add-cluster', 'Add a cloud', null, { kind: 'add-cluster' }), group: 'Clouds' },
  ]
}

function lookCommands(): readonly ConsoleCommand[] {
  return [
    { id: 'palette', title: 'Find or do anything', group: 'Console', keys: 'mod+k', run: () => openOverlay('palette') },
    { id: 'shortcuts', title: 'Keyboard shortcuts', group: 'Console', keys: '?', run: () => openOverlay('shortcuts') },
    ...(['system', 'light', 'dark'] as const).map(theme => ({
      id: `theme.${theme}`,
      title: theme === 'system' ? 'Theme: as the system' : `Theme: ${theme}`,
      group: 'Console',
      keys: null,
      run: () => void changePreferences({ theme }),
    })),
    {
      id: 'clock',
      title: 'Times: switch between local and UTC',
      group: 'Console',
      keys: null,
      run: () =>
        void changePreferences({ clock: usePreferences.getState().preferences.clock === 'utc' ? 'local' : 'utc' }),
    },
  ]
}

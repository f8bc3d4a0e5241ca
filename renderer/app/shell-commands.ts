import { useMemo } from 'react'
import { changePreferences } from '../bridge/preferences.ts'
import { useClusters } from '../stores/clusters.ts'
import { type ConsoleCommand, useCommands } from '../stores/commands.ts'
import { openOverlay } from '../stores/overlay.ts'
import { usePreferences } from '../stores/preferences.ts'
import { CLUSTER_SCREENS, clusterRoute, goTo, type Route, useRoute } from '../stores/route.ts'
import { SCREEN_WORDS } from '../ui/screens.ts'
import { commandsOfWings } from './wings.tsx'

const GO_KEYS = { topology: 'g t', instances: 'g i', update: 'g u', history: 'g r', settings: 'g s' } as const

export function useShellCommands(): void {
  const place = useRoute(store => store.place)
  const list = useClusters(store => store.list)
  const commands = useMemo(
    () => [
      ...goCommands(place),
      ...clusterCommands(list.kind === 'listed' ? [...list.byName.keys()] : [], place),
      ...lookCommands(place),
    ],
    [place, list],
  )
  useCommands(commands)
}

function goCommands(place: Route): readonly ConsoleCommand[] {
  if (place.kind !== 'cluster') return []
  return CLUSTER_SCREENS.map(screen => ({
    id: `go.${screen}`,
    title: `Go to ${SCREEN_WORDS[screen]} of ${place.cluster}`,
    group: 'Go to',
    keys: GO_KEYS[screen],
    run: () => goTo(clusterRoute(place.cluster, screen)),
  }))
}

function clusterCommands(names: readonly string[], place: Route): readonly ConsoleCommand[] {
  return names.map((name, at) => ({
    id: `cluster.${name}`,
    title: `Switch to ${name}`,
    group: 'Clouds',
    keys: at < 9 ? `${at + 1}` : null,
    run: () => goTo(clusterRoute(name, place.kind === 'cluster' ? place.screen : 'topology')),
  }))
}

function lookCommands(place: Route): readonly ConsoleCommand[] {
  return [
    { id: 'palette', title: 'Find or do anything', group: 'Console', keys: 'mod+k', run: () => openOverlay('palette') },
    { id: 'shortcuts', title: 'Keyboard shortcuts', group: 'Console', keys: '?', run: () => openOverlay('shortcuts') },
    {
      id: 'history',
      title: 'History of all clouds',
      group: 'Go to',
      keys: 'g h',
      run: () => goTo({ kind: 'history', part: 'log', cluster: null }),
    },
    {
      id: 'windows',
      title: 'Schedule',
      group: 'Go to',
      keys: 'g w',
      run: () => goTo({ kind: 'windows' }),
    },
    {
      id: 'new-window',
      title: place.kind === 'cluster' ? `New window on ${place.cluster}` : 'New window',
      group: 'Schedule',
      keys: null,
      run: () => goTo({ kind: 'new-window', cluster: place.kind === 'cluster' ? place.cluster : null }),
    },
    ...commandsOfWings,
    { id: 'home', title: 'Home', group: 'Go to', keys: 'g c', run: () => goTo({ kind: 'home' }) },
    {
      id: 'add-cluster',
      title: 'Add a cloud',
      group: 'Clouds',
      keys: null,
      run: () => goTo({ kind: 'add-cluster' }),
    },
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

import { type RefObject, useMemo } from 'react'
import { type ConsoleCommand, useCommands } from '../../stores/commands.ts'
import { undoOf, useEdits } from '../../stores/edits.ts'
import { listOf, useInstanceLists } from '../../stores/instance-lists.ts'
import { useRoute } from '../../stores/route.ts'
import { setMarks, takeBack } from './set-marks.ts'

interface Options {
  readonly cluster: string
  readonly listKey: string
  readonly search: RefObject<HTMLInputElement | null>
  /** The selected and visible instances. */
  readonly chosen: () => readonly string[]
}

const GROUP = 'Instances'

/** The commands and keys of a list of instances; its search has a key only on the screen of instances. */
export function useInstanceCommands({ cluster, listKey, search, chosen }: Options): void {
  const isScreen = useRoute(({ place }) => place.kind === 'cluster' && place.screen === 'instances')
  const commands = useMemo((): readonly ConsoleCommand[] => {
    const hasSelection = () => listOf(useInstanceLists.getState(), listKey).selected.size > 0
    const set = (mode: string, actions: Parameters<typeof setMarks>[2]): ConsoleCommand => ({
      id: `instances.set-${mode}`,
      title: `Set mode of selected instances: ${mode}`,
      group: GROUP,
      keys: null,
      available: hasSelection,
      run: () => void setMarks(cluster, chosen(), actions),
    })
    return [
      set('live_migrate', ['live_migrate']),
      set('poweroff', ['poweroff']),
      set('notify', ['notify']),
      set("node's default", []),
      {
        id: 'instances.undo',
        title: `Undo the last change of a mode in ${cluster}`,
        group: GROUP,
        keys: 'mod+z',
        available: () => undoOf(useEdits.getState(), cluster).length > 0,
        run: () => void takeBack(cluster),
      },
      ...(isScreen
        ? [
            {
              id: 'instances.find',
              title: 'Find instances',
              group: GROUP,
              keys: '/',
              run: () => search.current?.focus(),
            },
          ]
        : []),
    ]
  }, [cluster, listKey, search, chosen, isScreen])
  useCommands(commands)
}

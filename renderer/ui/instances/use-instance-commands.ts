import { type RefObject, useMemo } from 'react'
import { type ConsoleCommand, useCommands } from '../../stores/commands.ts'
import { undoOf, useEdits } from '../../stores/edits.ts'
import { listOf, useInstanceLists } from '../../stores/instance-lists.ts'
import { useRoute } from '../../stores/route.ts'
import { MODES_OF_MANY, type ModeOption, marksOfValue } from './mode-options.ts'
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
    const set = ({ value, label }: ModeOption): ConsoleCommand => ({
      id: `instances.set-${value}`,
      title: `Set mode of selected instances: ${label}`,
      group: GROUP,
      keys: null,
      available: hasSelection,
      run: () => void setMarks(cluster, chosen(), marksOfValue(value) ?? []),
    })
    return [
      ...MODES_OF_MANY.filter(({ value }) => marksOfValue(value) !== null).map(set),
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

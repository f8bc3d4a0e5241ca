import { Menu, MenuItem } from '@blueprintjs/core'
import { type ItemListRenderer, type ItemRenderer, Omnibar } from '@blueprintjs/select'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useCommandStore } from '../stores/commands.ts'
import { closeOverlay, useOverlay } from '../stores/overlay.ts'
import { chose, useRecent } from '../stores/recent.ts'
import { useRoute } from '../stores/route.ts'
import { useRuns } from '../stores/runs.ts'
import { lastOf, useViews } from '../stores/views.ts'
import { useWindows } from '../stores/windows.ts'
import { keyWords } from '../ui/keys.ts'
import { useNeeds } from '../ui/needs/use-needs.ts'
import { findInPalette, type PaletteEntry, paletteEntries } from './palette-entries.ts'
import '@blueprintjs/select/lib/css/blueprint-select.css'
import './palette.css'

/** Finds commands, clusters, nodes, instances, runs and windows. */
export function Palette(): ReactNode {
  const open = useOverlay(store => store.open === 'palette')
  return open ? <OpenPalette /> : null
}

function OpenPalette(): ReactNode {
  useFocusBack()
  const place = useRoute(store => store.place)
  const cluster = place.kind === 'cluster' ? place.cluster : null
  const commands = useCommandStore(store => store.commands)
  const runs = useRuns(store => store.list)
  const windows = useWindows(store => store.list)
  const { needs } = useNeeds()
  const recent = useRecent(store => store.chosen)
  const opened = useViews(({ byCluster }) =>
    [...byCluster].flatMap(([name, state]) => (lastOf(state) === null ? [] : [name])).join('\n'),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a cluster that loads adds entries.
  const entries = useMemo(() => {
    // The list stays the same while the palette is open, so that no entry moves under the pointer.
    const known = [...useViews.getState().byCluster]
      .flatMap(([name, state]) => {
        const live = lastOf(state)
        return live === null ? [] : [[name, live] as const]
      })
      .toSorted(([a], [b]) => Number(b === cluster) - Number(a === cluster))
    return paletteEntries({
      commands: [...commands.values()],
      clusters: new Map(known),
      needs,
      runs: runs ?? [],
      windows: windows ?? [],
    })
  }, [commands, cluster, runs, windows, opened])
  return (
    <Omnibar<PaletteEntry>
      isOpen
      items={[...entries]}
      itemListPredicate={(query, items) => [...findInPalette(query, items, recent)]}
      itemRenderer={renderEntry}
      onItemSelect={entry => {
        closeOverlay()
        chose(entry.id)
        entry.run()
      }}
      onClose={closeOverlay}
      inputProps={{ placeholder: 'A command, node, instance, run, window or cloud', 'aria-label': 'Find' }}
      itemListRenderer={renderList}
      resetOnQuery
    />
  )
}

/** Gives the focus back to where it was, unless what was chosen took it. */
function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
      })
    },
    [before],
  )
}

/** Blueprint calls the list a menu, but its entries are options. */
const renderList: ItemListRenderer<PaletteEntry> = ({ filteredItems, itemsParentRef, menuProps, renderItem }) => (
  <Menu id={menuProps?.id ?? 'palette-found'} ulRef={itemsParentRef} role="listbox" aria-label="Results">
    {filteredItems.length === 0 ? NOTHING : filteredItems.map((entry, at) => renderItem(entry, at))}
  </Menu>
)

const NOTHING = <MenuItem disabled text="No match. Try fewer letters." roleStructure="listoption" />

const renderEntry: ItemRenderer<PaletteEntry> = (entry, { handleClick, handleFocus, modifiers, ref }) => (
  <MenuItem
    key={entry.id}
    ref={ref}
    active={modifiers.active}
    text={entry.title}
    labelElement={
      <>
        {entry.group}
        {entry.keys === null ? null : <kbd>{keyWords(entry.keys)}</kbd>}
      </>
    }
    onClick={handleClick}
    {...(handleFocus === undefined ? {} : { onFocus: handleFocus })}
    roleStructure="listoption"
  />
)

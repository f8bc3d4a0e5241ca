import { type KeyboardEvent as ReactKeyboardEvent, useCallback, useRef } from 'react'
import { type Direction, neighbour, tilesBetween } from '../../geometry/map-search.ts'
import type { PlacedTile } from '../../geometry/node-map.ts'
import { selectedNodes, selectNodes, useSelection } from '../../stores/selection.ts'

interface Options {
  readonly cluster: string
  readonly tiles: readonly PlacedTile[]
  readonly focused: string | null
  readonly onFocus: (node: string) => void
  readonly onOpen: (node: string) => void
  /** Escape: closes what is open. */
  readonly onEscape: () => void
  readonly onMenu: (node: string) => void
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** Keys of the map: arrows, Home, End move; Space selects, Shift extends, Enter opens. */
export function useMapKeys(options: Options): (event: ReactKeyboardEvent<HTMLElement>) => void {
  const { cluster, tiles, focused, onFocus, onOpen, onEscape, onMenu } = options
  const anchor = useRef<string | null>(null)
  return useCallback(
    event => {
      const go = (name: string | undefined) => {
        if (name === undefined) return
        onFocus(name)
        if (event.shiftKey) selectNodes(cluster, tilesBetween(tiles, anchor.current ?? focused ?? name, name))
        else anchor.current = name
      }
      const done = () => event.preventDefault()
      const direction = ARROWS[event.key]
      if (direction !== undefined && focused !== null && !event.ctrlKey && !event.metaKey && !event.altKey) {
        done()
        anchor.current ??= focused
        go(neighbour(tiles, focused, direction)?.name)
        return
      }
      switch (event.key) {
        case 'Home':
          done()
          go(tiles[0]?.name)
          return
        case 'End':
          done()
          go(tiles.at(-1)?.name)
          return
        case ' ': {
          done()
          if (focused === null) return
          const before = selectedNodes(useSelection.getState(), cluster)
          anchor.current = focused
          selectNodes(
            cluster,
            before.includes(focused) ? before.filter(name => name !== focused) : [...before, focused],
          )
          return
        }
        case 'Enter':
          if (focused === null) return
          done()
          selectNodes(cluster, [focused])
          onOpen(focused)
          return
        case 'Escape':
          onEscape()
          return
        case 'ContextMenu':
        case 'F10':
          if (focused === null || (event.key === 'F10' && !event.shiftKey)) return
          done()
          onMenu(focused)
          return
        case 'a':
          if (!event.ctrlKey && !event.metaKey) return
          done()
          selectNodes(
            cluster,
            tiles.map(tile => tile.name),
          )
          return
      }
    },
    [cluster, tiles, focused, onFocus, onOpen, onEscape, onMenu],
  )
}

import { type RefObject, useEffect, useMemo } from 'react'
import { selectedNodes, useSelection } from '../../stores/selection.ts'
import { useDragRoom } from './drag-room.tsx'
import { queuedOf, takeTo, unqueue } from './node-actions.ts'
import { say } from './say.ts'

interface Options {
  readonly cluster: string
  readonly search: RefObject<HTMLInputElement | null>
}

const NONE_SELECTED = 'No node is selected. Select one on the map first.'

/** What can be done on this screen by single keys. */
export function useTopologyKeys({ cluster, search }: Options): void {
  const { controller } = useDragRoom()
  const keys = useMemo(() => {
    const chosen = () => selectedNodes(useSelection.getState(), cluster)
    return new Map<string, () => void>([
      ['/', () => search.current?.focus()],
      ['e', () => takeTo(cluster, chosen(), 'entering')],
      ['l', () => takeTo(cluster, chosen(), 'leaving')],
      [
        'q',
        () => {
          const queued = queuedOf(cluster, chosen())
          if (queued.length === 0) takeTo(cluster, chosen(), 'queue')
          else unqueue(cluster, queued)
        },
      ],
      [
        'm',
        () => {
          const nodes = chosen()
          if (nodes.length === 0) say(NONE_SELECTED)
          else controller.pickUp({ kind: 'nodes', nodes })
        },
      ],
    ])
  }, [cluster, search, controller])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesText(event.target)) return
      const run = keys.get(event.key)
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [keys])
}

/** Whether keys are meant for something else: a field, or whatever is laid over the screen. */
function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]') !== null
  )
}

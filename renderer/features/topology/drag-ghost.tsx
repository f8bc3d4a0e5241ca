import { type ReactNode, useEffect, useRef } from 'react'
import { ghostWords } from '../../../shared/words/ghosts.ts'
import type { Point } from '../../geometry/rectangle.ts'
import { useGhosts } from '../../stores/ghosts.ts'
import { briefly, type DragPayload } from '../../ui/drag/drop-verdict.ts'
import { useDrag, useDragRoom } from './drag-room.tsx'
import { useOthersOn } from './node-selectors.ts'

const NOBODY: readonly string[] = []
const BY_KEYS = 'Arrows choose where, Enter drops, Escape cancels.'

/** What is dragged: how many nodes, which, and what a drop here would do. Beside the pointer, or above the dock for the keyboard. */
export function DragGhost({ cluster }: { readonly cluster: string }): ReactNode {
  const by = useDrag(state => (state.kind === 'held' ? state.by : null))
  const words = useDrag(state => (state.kind === 'held' ? (state.verdict?.words ?? 'Drop it on the dock.') : ''))
  const names = useDrag(state => (state.kind === 'held' ? briefly(namesOf(state.payload)) : ''))
  const ghosts = useGhosts(({ held }) => (held === null ? '' : ghostWords(held.ghosts)))
  const payload = useDrag(state => (state.kind === 'held' ? state.payload : null))
  const others = useOthersOn(cluster, payload === null ? NOBODY : namesOf(payload))
  const shown = { names, words, ghosts, others }
  return (
    <>
      {by === 'pointer' ? <PointerGhost {...shown} /> : null}
      {by === 'keyboard' ? (
        <div className="topo-carry column" aria-hidden="true">
          <GhostWords {...shown} />
          <span className="quiet">{BY_KEYS}</span>
        </div>
      ) : null}
      <div className="visually-hidden" aria-live="assertive">
        {by === 'keyboard' ? [`${names}.`, words, others, ghosts, BY_KEYS].filter(each => each !== '').join(' ') : ''}
      </div>
    </>
  )
}

interface WordsProps {
  readonly names: string
  readonly words: string
  /** Where the instances may go; empty if this moves none. */
  readonly ghosts: string
  /** Other maintenance of the dragged nodes; empty if none is known. */
  readonly others: string
}

/** The pointer moves far more often than anything else here, so it moves only the element. */
function PointerGhost(props: WordsProps): ReactNode {
  const { controller } = useDragRoom()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const follow = () => {
      const state = controller.state()
      if (state.kind !== 'held' || state.point === null || element.current === null) return
      const { x, y } = besidePointer(state.point, element.current)
      element.current.style.transform = `translate(${x}px, ${y}px)`
    }
    follow()
    return controller.subscribe(follow)
  }, [controller])
  return (
    <div ref={element} className="topo-ghost column" aria-hidden="true">
      <GhostWords {...props} />
    </div>
  )
}

/** Below and right of the pointer; above or left where there is no room. */
function besidePointer({ x, y }: Point, { offsetWidth, offsetHeight }: HTMLElement): Point {
  return {
    x: x + 14 + offsetWidth > window.innerWidth ? x - 10 - offsetWidth : x + 14,
    y: y + 12 + offsetHeight > window.innerHeight ? y - 10 - offsetHeight : y + 12,
  }
}

function GhostWords({ names, words, ghosts, others }: WordsProps): ReactNode {
  const refused = useDrag(state => state.kind === 'held' && state.verdict?.kind === 'refused')
  const count = useDrag(state => (state.kind === 'held' ? namesOf(state.payload).length : 0))
  return (
    <>
      <span className="topo-ghost-names row">
        <b className="topo-ghost-count">{count}</b>
        {names}
      </span>
      <span className={refused ? 'small bad' : 'small'}>{words}</span>
      {others === '' ? null : <span className="small caution">{others}</span>}
      {ghosts === '' ? null : <span className="small quiet">{ghosts}</span>}
    </>
  )
}

function namesOf(payload: DragPayload): readonly string[] {
  return payload.kind === 'nodes' ? payload.nodes : [payload.node]
}

import { assertNever } from '../../../shared/domain/must.ts'
import { changeQueue } from '../../bridge/queue.ts'
import { openSheet } from '../../stores/sheet.ts'
import type { DockContents } from './dock-contents.ts'
import { type DropTarget, type DropVerdict, judgeDrop } from './drop-verdict.ts'

/** Says something that needs no decision. */
export type Say = (words: string) => void

/** Does what a drop, a key or a menu came to: opens a plan, changes the queue, or says why not. Starts nothing. */
export function carryOut(cluster: string, verdict: DropVerdict, say: Say): void {
  switch (verdict.kind) {
    case 'plan':
      openSheet({ cluster, kind: verdict.run, nodes: verdict.nodes })
      return
    case 'queue':
      void changeQueue(cluster, { add: verdict.add, remove: verdict.remove }).then(answer => {
        if (!answer.ok) say(answer.failure.message)
      })
      return
    case 'refused':
      say(verdict.words)
      return
    case 'nothing':
      return
    default:
      assertNever(verdict, 'verdict of a drop')
  }
}

/** The same by key or menu: what dropping these nodes there would do. */
export function takeTo(
  cluster: string,
  nodes: readonly string[],
  target: DropTarget,
  dock: DockContents,
  say: Say,
): void {
  if (nodes.length === 0) {
    say('No node is selected. Select one on the map first.')
    return
  }
  carryOut(cluster, judgeDrop({ kind: 'nodes', nodes }, target, dock), say)
}

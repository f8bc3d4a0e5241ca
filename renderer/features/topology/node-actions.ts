import { assertNever } from '../../../shared/domain/must.ts'
import { takesOut } from '../../../shared/domain/plan.ts'
import { changeQueue } from '../../bridge/queue.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { openPlanDialog } from '../../stores/plan-dialog.ts'
import { openUpdate } from '../../stores/update-wish.ts'
import { type DragPayload, type DropTarget, type DropVerdict, judgeDrop } from '../../ui/drag/drop-verdict.ts'
import { dockNow } from './node-selectors.ts'
import { say } from './toast-caution.ts'

/** What a drop would do with the current nodes; nothing if they are unknown. */
export function judgeNow(cluster: string, payload: DragPayload, target: DropTarget): DropVerdict {
  const cut = whyCutOff(useConnection.getState())
  if (cut !== null) return { kind: 'refused', words: cut }
  return judgeDrop(payload, target, dockNow(cluster))
}

/** Carries out the verdict of a drop, a key or a menu: opens a plan, changes the queue, or says why not. Starts nothing. */
export function carryOut(cluster: string, verdict: DropVerdict): void {
  switch (verdict.kind) {
    case 'plan':
      // Several nodes that go out are one plan, in batches for which the rest of the cloud has room.
      if (takesOut(verdict.run) && verdict.nodes.length > 1) openUpdate(cluster, verdict.nodes)
      else openPlanDialog({ cluster, kind: verdict.run, nodes: verdict.nodes })
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

/** The same by key, button or menu: what dropping these nodes there would do. */
export function takeTo(cluster: string, nodes: readonly string[], target: DropTarget): void {
  if (nodes.length === 0) say('No node is selected. Select one on the map first.')
  else carryOut(cluster, judgeNow(cluster, { kind: 'nodes', nodes }, target))
}

export function unqueue(cluster: string, nodes: readonly string[]): void {
  carryOut(cluster, { kind: 'queue', add: [], remove: nodes, words: '' })
}

export function queuedOf(cluster: string, nodes: readonly string[]): readonly string[] {
  const queued = new Set(dockNow(cluster).queue.map(docked => docked.name))
  return nodes.filter(name => queued.has(name))
}

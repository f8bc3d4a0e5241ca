import { takesOut } from '../../../shared/domain/plan.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { openPlanDialog } from '../../stores/plan-dialog.ts'
import { openSeveral } from '../../stores/several.ts'
import { type DropVerdict, type DropZone, judgeDrop } from '../../ui/drag/drop-verdict.ts'
import { nodesOutNow } from './node-selectors.ts'
import { say } from './toast-caution.ts'

/** What a drop would do with the current nodes; nothing if they are unknown. */
export function judgeNow(cluster: string, nodes: readonly string[], zone: DropZone): DropVerdict {
  const cut = whyCutOff(useConnection.getState())
  return cut === null ? judgeDrop(nodes, zone, nodesOutNow(cluster)) : { kind: 'refused', words: cut }
}

/** Carries out the verdict of a drop, a key or a menu: opens a plan, or says why not. Starts nothing. */
export function carryOut(cluster: string, verdict: DropVerdict): void {
  if (verdict.kind === 'refused') say(verdict.words)
  // Several nodes that go out are one plan; first the question is whether they come back.
  else if (takesOut(verdict.run) && verdict.nodes.length > 1) openSeveral(cluster, verdict.nodes)
  else openPlanDialog({ cluster, kind: verdict.run, nodes: verdict.nodes })
}

/** The same by key, button or menu: what dropping these nodes there would do. */
export function takeTo(cluster: string, nodes: readonly string[], zone: DropZone): void {
  if (nodes.length === 0) say('No node is selected. Select one on the map first.')
  else carryOut(cluster, judgeNow(cluster, nodes, zone))
}

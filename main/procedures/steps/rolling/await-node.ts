import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { factText, NODE_BEFORE, NODE_WORKED } from '../../../../shared/domain/run-facts.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'
import { windowsEnd } from './windows-end.ts'

/** What of a node tells that it was worked on. */
type NodeSigns = Pick<ClusterNode, 'bootId' | 'kubeletVersion' | 'osImage'>

/** Waits until the node is back as the work leaves it, and Ready. After a long silence a person may say that it is. */
export function awaitNode(
  name: string,
  isWorked: (now: NodeSigns, before: NodeSigns | null) => boolean,
  goal: string,
  ctx: MaintenanceContext,
): Promise<ApplyAnswer> {
  const before = signsBefore(name, ctx)
  return awaitChange(
    {
      subject: `node/${name}`,
      look: async () => {
        const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
        if (!node.ok) return node
        const { bootId, kubeletVersion, osImage, readiness, readinessText } = node.value
        if (isWorked(node.value, before) && readiness === 'ready') {
          ctx.report(NODE_WORKED, `node/${name}`, { bootId, kubeletVersion, osImage })
          return ok({
            kind: 'so',
            note: `${name} is back ${goal}: boot id ${bootId}, kubelet ${kubeletVersion}, ${osImage}.`,
          })
        }
        const state = readiness === 'ready' ? 'Ready' : readiness === 'unknown' ? 'not reporting' : 'NotReady'
        return ok({
          kind: 'waits',
          what: `${name} to come back ${goal}; it is ${state}, boot id ${bootId}, kubelet ${kubeletVersion}, ${osImage}`,
          mark: JSON.stringify([readiness, readinessText, bootId, kubeletVersion, osImage]),
        })
      },
      until: windowsEnd(ctx),
      remedy: 'Do the work on the node and retry, or continue if it is done although the node does not show it.',
      choices: ['continue', 'retry', 'abort'],
    },
    ctx,
  )
}

/** The node as this run noted it before the work; null where it was not noted. */
function signsBefore(name: string, ctx: MaintenanceContext): NodeSigns | null {
  const noted = ctx.runHistory().findLast(({ fact, subject }) => fact === NODE_BEFORE && subject === `node/${name}`)
  if (noted === undefined) return null
  return {
    bootId: factText(noted, 'bootId') ?? '',
    kubeletVersion: factText(noted, 'kubeletVersion') ?? '',
    osImage: factText(noted, 'osImage') ?? '',
  }
}

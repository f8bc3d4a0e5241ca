import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { factText, NODE_BEFORE, NODE_WORKED } from '../../../../shared/domain/run-facts.ts'
import { fault, found } from '../../../../shared/words/step-texts.ts'
import type { WorkGoal } from '../../../../shared/words/steps/rolling-work.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'
import { windowsEnd } from './windows-end.ts'

type NodeSigns = Pick<ClusterNode, 'bootId' | 'kubeletVersion' | 'osImage'>

/** Waits until the node shows the work's result and is Ready. After a long wait the operator may confirm it. */
export function awaitNode(name: string, goal: WorkGoal, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const before = signsBefore(name, ctx)
  const window = windowsEnd(ctx)
  return awaitChange(
    {
      subject: `node/${name}`,
      look: async () => {
        const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
        if (!node.ok) return node
        const { bootId, kubeletVersion, osImage, readiness, readinessText } = node.value
        const runs = { node: name, goal, bootId, kubelet: kubeletVersion, osImage }
        if (isWorked(goal, node.value, before) && readiness === 'ready') {
          ctx.report(NODE_WORKED, `node/${name}`, { bootId, kubeletVersion, osImage })
          return ok({ kind: 'so', note: found('NodeIsBack', runs) })
        }
        return ok({
          kind: 'waits',
          what: found('NodeToComeBack', { ...runs, readiness }),
          mark: JSON.stringify([readiness, readinessText, bootId, kubeletVersion, osImage]),
        })
      },
      until:
        window === null ? null : { at: window.at, over: waits => fault('NodeNotBackInWindow', { ...waits, window }) },
      quiet: quiet => fault('NodeDoesNotComeBack', quiet),
      choices: ['continue', 'retry', 'abort'],
    },
    ctx,
  )
}

/** A reboot shows only if the boot id was noted before. */
function isWorked(goal: WorkGoal, now: NodeSigns, before: NodeSigns | null): boolean {
  switch (goal.kind) {
    case 'boot-id':
      return now.bootId !== '' && before !== null && now.bootId !== before.bootId
    case 'kubelet-version':
      return now.kubeletVersion === goal.version
    case 'os-image':
      return now.osImage.includes(goal.contains)
  }
}

/** As this run noted it before the work; null: it did not. */
function signsBefore(name: string, ctx: MaintenanceContext): NodeSigns | null {
  const noted = ctx.runHistory().findLast(({ fact, subject }) => fact === NODE_BEFORE && subject === `node/${name}`)
  if (noted === undefined) return null
  return {
    bootId: factText(noted, 'bootId') ?? '',
    kubeletVersion: factText(noted, 'kubeletVersion') ?? '',
    osImage: factText(noted, 'osImage') ?? '',
  }
}

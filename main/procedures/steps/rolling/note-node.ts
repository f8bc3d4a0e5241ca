import { NODE_BEFORE } from '../../../../shared/domain/run-facts.ts'
import { found, stepText } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { applied } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'

/** Journals versions and boot id before the work, so that a reboot shows even after a restart of the console. */
export const noteNode: Step<MaintenanceWorld> = {
  kind: 'note-node',
  role: 'general',
  risk: 'none',
  ...stepText('note-node'),
  verifyEarly: false,
  withinMs: 60_000,
  verifyEveryMs: 1_000,
  apply: async (input, ctx) => {
    const name = nodeOf(input)
    const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
    if (!node.ok) return { kind: 'failed', failure: node.failure }
    const { bootId, kubeletVersion, osImage } = node.value
    const isNoted = ctx.history().some(({ fact }) => fact === NODE_BEFORE)
    if (!isNoted) ctx.report(NODE_BEFORE, `node/${name}`, { bootId, kubeletVersion, osImage })
    return applied(found('NodeNoted', { bootId, kubelet: kubeletVersion, osImage }))
  },
}

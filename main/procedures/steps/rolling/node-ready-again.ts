import { ok } from '../../../../shared/domain/result.ts'
import { fault, found, stepText } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { nodeOf } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'

/** After the work nothing is scheduled onto the node before it is Ready. */
export const nodeReadyAgain: Step<MaintenanceWorld> = {
  kind: 'node-ready-again',
  role: 'general',
  risk: 'none',
  ...stepText('node-ready-again'),
  verifyEarly: false,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  apply: (input, ctx) => {
    const name = nodeOf(input)
    return awaitChange(
      {
        subject: `node/${name}`,
        look: async () => {
          const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
          if (!node.ok) return node
          const { readiness, readinessText } = node.value
          if (readiness === 'ready') return ok({ kind: 'so', note: found('NodeIsReady', { node: name }) })
          const isSilent = readiness === 'unknown'
          const notReady = found('NodeIsNotReady', { node: name, isSilent, readiness: readinessText })
          return ok({ kind: 'waits', what: notReady })
        },
        quiet: quiet => fault('NodeStaysNotReady', quiet),
        choices: ['retry', 'abort'],
      },
      ctx,
    )
  },
}

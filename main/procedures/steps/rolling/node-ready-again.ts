import { ok } from '../../../../shared/domain/result.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { nodeOf } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'

/** After the work the node reports as Ready before anything is scheduled onto it. */
export const nodeReadyAgain: Step<MaintenanceWorld> = {
  kind: 'node-ready-again',
  role: 'general',
  risk: 'none',
  why: 'Services on the node may have been restarted, or the node rebooted; it has to report before it gets pods.',
  title: input => `Wait until ${nodeOf(input)} is Ready again`,
  verifyEarly: false,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only waits.',
  apply: (input, ctx) => {
    const name = nodeOf(input)
    return awaitChange(
      {
        subject: `node/${name}`,
        look: async () => {
          const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
          if (!node.ok) return node
          const { readiness, readinessText } = node.value
          if (readiness === 'ready') return ok({ kind: 'so', note: `${name} is Ready.` })
          const state = readiness === 'unknown' ? 'does not report' : 'is NotReady'
          return ok({ kind: 'waits', what: `${name} ${state}: ${readinessText}` })
        },
        remedy: 'Look whether the machine is up and its kubelet runs, then retry.',
        choices: ['retry', 'abort'],
      },
      ctx,
    )
  },
}

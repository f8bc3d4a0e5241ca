import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MachineReport } from '../../../../shared/words/steps/general-machine.ts'
import { blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** The operator says that the machine is off, and Kubernetes receives nothing. A machine that only lost its network still writes to its disks. */
export const machineOff = checkStep({
  kind: 'machine-off',
  role: 'general',
  ...stepText('machine-off'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
    if (!node.ok) return cannotAsk(thing('Node', { node: name }), node.failure)
    const said = ctx.options.machineIsOff.trim()
    const { readiness, readinessText, readinessSince } = node.value
    const read = evidence(`node/${name}`, ctx.at(), {
      readiness,
      since: readinessSince,
      text: readinessText,
      saidOff: said === '' ? null : said,
      saidBy: said === '' ? null : ctx.operator,
    })
    const reports = reportsOf(node.value)
    return readyUnless(
      [
        ...(said === '' ? [blocker(fault('MachineNotSaidOff', { node: name }))] : []),
        ...(reports === null ? [] : [blocker(fault('MachineReports', reports))]),
      ],
      found('MachineIsOff', { node: name, said, since: readinessSince }),
      { evidence: [read] },
    )
  },
})

/** What Kubernetes receives from a machine; null means nothing, so it may be off. */
export function reportsOf({ name: node, readiness, readinessText: text }: ClusterNode): MachineReport | null {
  if (readiness === 'unknown') return null
  return { node, readiness, text }
}

import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/**
 * A person says that the machine is off, and Kubernetes hears nothing of it. Neither is enough: a machine that was cut off from the network runs on and
 * writes to its disks, and what is rebuilt elsewhere would write to the same.
 */
export const machineOff = checkStep({
  kind: 'machine-off',
  role: 'general',
  why: 'An instance that runs twice destroys its own data.',
  title: input => `${nodeOf(input)} is off`,
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
    if (!node.ok) return cannotAsk(`Node ${name}`, node.failure)
    const said = ctx.options.machineIsOff.trim()
    const { readiness, readinessText, readinessSince } = node.value
    const read = evidence(`node/${name}`, ctx.at(), {
      readiness,
      since: readinessSince,
      text: readinessText,
      saidOff: said === '' ? null : said,
      saidBy: said === '' ? null : ctx.operator,
    })
    const unsaid: readonly Blocker[] =
      said === ''
        ? [
            {
              code: 'machine-not-said-off',
              message: `Nobody said that ${name} is off. That it does not answer does not say so: cut off from the network it runs on, with its instances.`,
              remedy:
                'Switch it off, by its BMC or by hand, see that it is off, and say how you know: `--machine-is-off "BMC says power off 10:04"`.',
              override: { kind: 'never', why: 'an instance that runs twice destroys its own data' },
            },
          ]
        : []
    return readyUnless(
      [...unsaid, ...reportsBlockers(node.value)],
      `${name} is off: ${said}. Kubernetes hears nothing of it${readinessSince === null ? '' : ` since ${readinessSince}`}.`,
      { evidence: [read] },
    )
  },
})

/** Why a machine cannot be off by what Kubernetes hears of it; an empty array: it hears nothing. */
export function reportsBlockers({ name, readiness, readinessText }: ClusterNode): readonly Blocker[] {
  if (readiness === 'unknown') return []
  return [
    {
      code: 'machine-reports',
      message:
        readiness === 'ready'
          ? `${name} is Ready: its kubelet reports, so the machine runs.`
          : `The kubelet of ${name} reports that it is not ready (${readinessText}), so the machine runs.`,
      remedy:
        'Take it out of service instead: its instances move while it lives. If it is to be switched off, do that first.',
      override: { kind: 'never', why: 'an instance that runs twice destroys its own data' },
    },
  ]
}

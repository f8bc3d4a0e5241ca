import type { Pod } from '../../../../shared/domain/kubernetes.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import { cannotAsk, done, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** The node does not host Juju's own controller, which has no second one (seed 004, control check "No Juju controller pod"). */
export const noJujuController = checkStep({
  kind: 'no-juju-controller',
  role: 'control',
  why: 'The controller that Sunbeam bootstraps into Kubernetes has one pod: without it nothing can be operated any more.',
  title: input => `The Juju controller does not run on ${nodeOf(input)}`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const pods = await ctx.world.kubernetes.listPods(null, ctx.signal)
    if (!pods.ok) return cannotAsk('The pods of the cluster', pods.failure)
    const controllers = pods.value.filter(isJujuController)
    const read = evidence('Juju controller pods', ctx.at(), {
      pods: controllers.map(pod => `${labelOf(pod)} on ${pod.nodeName ?? 'no node yet'}`),
    })
    if (controllers.length === 0) {
      return done(
        'Not applicable: no Juju controller runs in this Kubernetes, it is an external one or there is none.',
        {
          evidence: [read],
        },
      )
    }
    const here = controllers.filter(pod => pod.nodeName === node)
    if (here.length === 0) {
      return readyUnless([], `The Juju controller runs on ${someOf(nodesOf(controllers))}.`, { evidence: [read] })
    }
    // Only now: whether MAAS carries the machines does not matter as long as the controller is elsewhere.
    const status = (await ctx.world.juju?.status(ctx.signal)) ?? null
    if (status?.ok && status.value.cloudType === 'maas') {
      return done(`Not applicable: the machines are MAAS's, whose Juju controllers are machines of their own.`, {
        evidence: [read, evidence(`model ${status.value.model}`, ctx.at(), { cloudType: status.value.cloudType })],
        warnings: [`Pod ${someOf(here.map(labelOf))} on ${node} looks like a Juju controller of somebody else.`],
      })
    }
    return readyUnless(
      [
        {
          code: 'juju-controller-on-node',
          message: `${node} hosts the Juju controller (${someOf(here.map(labelOf))}), which has no second one.`,
          remedy: 'Move the controller to another node first, or maintain another node.',
          override: { kind: 'never', why: 'draining it takes the cluster down, and nothing could bring it back' },
        },
      ],
      '',
      { evidence: [read] },
    )
  },
})

/**
 * Juju bootstraps a controller into a namespace `controller-<name>` as StatefulSet `controller` (Sunbeam: `controller-sunbeam-controller`). The
 * model operator beside it may go elsewhere.
 */
function isJujuController({ namespace, name, labels }: Pod): boolean {
  if (!namespace.startsWith('controller-')) return false
  return labels['app.kubernetes.io/name'] === 'controller' || /^controller-\d+$/.test(name)
}

function labelOf({ namespace, name }: Pod): string {
  return `${namespace}/${name}`
}

function nodesOf(pods: readonly Pod[]): readonly string[] {
  return [...new Set(pods.map(pod => pod.nodeName ?? 'no node yet'))]
}

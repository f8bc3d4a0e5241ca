import type { Pod } from '../../../../shared/domain/kubernetes.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { blocked, blocker, cannotAsk, done, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** The node does not host Juju's controller, of which there is only one (seed 004). */
export const noJujuController = checkStep({
  kind: 'no-juju-controller',
  role: 'control',
  ...stepText('no-juju-controller'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const pods = await ctx.world.kubernetes.listPods(null, ctx.signal)
    if (!pods.ok) return cannotAsk(thing('AllPods'), pods.failure)
    const controllers = pods.value.filter(isJujuController)
    const read = evidence('Juju controller pods', ctx.at(), {
      pods: controllers.map(pod => `${labelOf(pod)} on ${pod.nodeName ?? 'no node yet'}`),
    })
    if (controllers.length === 0) {
      return done(found('NoJujuControllerHere'), { evidence: [read] })
    }
    const here = controllers.filter(pod => pod.nodeName === node)
    if (here.length === 0) {
      return ready(found('JujuControllerElsewhere', { nodes: nodesOf(controllers) }), { evidence: [read] })
    }
    // Read only here: a controller on another node does not depend on who manages the machines.
    const status = (await ctx.world.juju?.status(ctx.signal)) ?? null
    if (status?.ok && status.value.cloudType === 'maas') {
      return done(found('JujuControllersOfMaas'), {
        evidence: [read, evidence(`model ${status.value.model}`, ctx.at(), { cloudType: status.value.cloudType })],
        warnings: [found('JujuControllerOfOthers', { node, pods: here.map(labelOf) })],
      })
    }
    return blocked([blocker(fault('JujuControllerOnNode', { node, pods: here.map(labelOf) }))], { evidence: [read] })
  },
})

/** Juju bootstraps it as StatefulSet `controller` in the namespace `controller-<name>`; the model operator beside it may move. */
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

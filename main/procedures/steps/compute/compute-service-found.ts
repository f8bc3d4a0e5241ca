import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { namesOf } from '../../../../shared/words/steps/coded.ts'
import { BY_FORCE, blocked, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { readMachine } from '../general/machine-outside.ts'
import { otherRecordsOf } from './all-records.ts'
import { computeServiceOf } from './compute-host.ts'

/** Only a node whose nova-compute is up can move its instances away. */
export const computeServiceFound = checkStep({
  kind: 'compute-service-found',
  role: 'compute',
  ...stepText('compute-service-found'),
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const cloud = ctx.world.openstack
    if (cloud === null) return blocked([blocker(fault('NoCloud', { node: name, cluster: ctx.world.cluster.name }))])
    const [node, services] = await Promise.all([
      readMachine(name, ctx.world, ctx.signal),
      cloud.computeServices(ctx.signal),
    ])
    if (!node.ok) return cannotAsk(thing('Node', { node: name }), node.failure)
    if (!services.ok) return cannotAsk(thing('ComputeServices'), services.failure)
    const service = computeServiceOf(node.value, services.value)
    const read = evidence(`nova-compute on ${service?.host ?? name}`, ctx.at(), {
      id: service?.id ?? null,
      status: service?.status ?? null,
      state: service?.state ?? null,
      disabledReason: service?.disabledReason ?? null,
      hosts: services.value.map(candidate => candidate.host),
    })
    if (service === null) {
      const hosts = namesOf(services.value.map(({ host }) => host))
      const missing = fault('ComputeServiceMissing', { node: name, hosts, asked: 'by-role' })
      return blocked([blocker(missing)], { evidence: [read] })
    }
    const others = await otherRecordsOf(node.value, service, services.value, ctx)
    if (!others.ok) return cannotAsk(thing('NodeList'), others.failure)
    const { blockers, warnings } = others.value
    const { host, status, state, forcedDown } = service
    const isDown = state === 'down' && blockers.length === 0
    return readyUnless(
      [...blockers, ...(isDown ? [blocker(fault('ComputeServiceDown', { host, forcedDown }), BY_FORCE)] : [])],
      found('ComputeServiceFoundUp', { host, status }),
      { evidence: [read], warnings },
    )
  },
})

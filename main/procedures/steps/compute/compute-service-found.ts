import type { Blocker } from '../../../../shared/domain/plan.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { readMachine } from '../general/machine-outside.ts'
import { computeServiceOf } from './compute-host.ts'

/** The node has a nova-compute service, and it is up: only a live service can send its instances away. */
export const computeServiceFound = checkStep({
  kind: 'compute-service-found',
  role: 'compute',
  why: 'Instances can be moved away only by a nova-compute that reports.',
  title: input => `nova-compute of ${nodeOf(input)} is found and up`,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const cloud = ctx.world.openstack
    if (cloud === null) return readyUnless([noCloud(ctx.world.cluster.name, name)], '')
    const [node, services] = await Promise.all([
      readMachine(name, ctx.world, ctx.signal),
      cloud.computeServices(ctx.signal),
    ])
    if (!node.ok) return cannotAsk(`Node ${name}`, node.failure)
    if (!services.ok) return cannotAsk('The compute services', services.failure)
    const service = computeServiceOf(node.value, services.value)
    const read = evidence(`nova-compute on ${service?.host ?? name}`, ctx.at(), {
      id: service?.id ?? null,
      status: service?.status ?? null,
      state: service?.state ?? null,
      disabledReason: service?.disabledReason ?? null,
      hosts: services.value.map(candidate => candidate.host),
    })
    const blockers: readonly Blocker[] =
      service === null
        ? [
            {
              code: 'compute-service-missing',
              message: `Nova has no nova-compute service on ${name}, although the node carries the compute role.`,
              remedy: `Nova knows these hosts: ${services.value.map(candidate => candidate.host).join(', ') || 'none'}. Correct the role labels of the cluster, or the host name.`,
              override: { kind: 'never', why: 'which instances run there cannot be known' },
            },
          ]
        : service.state === 'down'
          ? [
              {
                code: 'compute-service-down',
                message: `nova-compute on ${service.host} is down${service.forcedDown ? ' (forced down)' : ''}: it cannot send instances away.`,
                remedy: 'Bring nova-compute back first, or evacuate the instances with Nova once the host is fenced.',
                override: BY_FORCE,
              },
            ]
          : []
    return readyUnless(
      blockers,
      `nova-compute on ${service?.host ?? name} is up and ${service?.status ?? 'unknown'}.`,
      { evidence: [read] },
    )
  },
})

function noCloud(cluster: string, node: string): Blocker {
  return {
    code: 'no-cloud',
    message: `${node} carries the compute role, but cluster ${cluster} is registered without OpenStack credentials.`,
    remedy: 'Add the cluster again with --clouds-yaml and --cloud, or correct its role labels.',
    override: { kind: 'never', why: 'which instances run there cannot be known' },
  }
}

import type { Failure } from '../../../../shared/domain/failure.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { Evidence } from '../../../../shared/domain/step-answers.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import { namesOf } from '../../../../shared/words/steps/coded.ts'
import { evidence, refusal } from '../../answers.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { readMachine } from '../general/machine-outside.ts'
import { computeServiceOf } from './compute-host.ts'

export async function readComputeService(name: string, ctx: MaintenanceContext): Promise<Result<ComputeService>> {
  const read = await readServiceAmongOthers(name, ctx)
  return read.ok ? ok(read.value.service) : read
}

export async function readServiceAmongOthers(name: string, ctx: MaintenanceContext): Promise<Result<AmongServices>> {
  const [node, services] = await Promise.all([
    readMachine(name, ctx.world, ctx.signal),
    cloudOf(ctx).computeServices(ctx.signal),
  ])
  if (!node.ok) return node
  if (!services.ok) return services
  const service = computeServiceOf(node.value, services.value)
  if (service === null) return failed(noComputeService(name, services.value))
  return ok({ service, node: node.value, services: services.value })
}

interface AmongServices {
  readonly service: ComputeService
  readonly node: ClusterNode
  readonly services: readonly ComputeService[]
}

/** The failure of a step whose node has no compute service in Nova. */
export function noComputeService(node: string, services: readonly ComputeService[]): Failure {
  const hosts = namesOf(services.map(({ host }) => host))
  return refusal('not-found', fault('ComputeServiceMissing', { node, hosts, asked: 'by-step' }), {
    target: `node/${node}`,
  })
}

export function computeServiceEvidence(service: ComputeService, ctx: MaintenanceContext): Evidence {
  return evidence(`nova-compute on ${service.host}`, ctx.at(), {
    id: service.id,
    status: service.status,
    state: service.state,
    disabledReason: service.disabledReason,
    updatedAt: service.updatedAt,
  })
}

import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { PAUSED, RUNNING } from '../../../../shared/domain/ran-before.ts'
import { INSTANCE_SEEN, INSTANCES_NOTED } from '../../../../shared/domain/run-facts.ts'
import type { Evidence } from '../../../../shared/domain/step-answers.ts'
import { evidence } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { instanceSubject, readComputeHost } from './classify-instances.ts'

const LOOKS_AT_ONCE = 8

/**
 * Notes which instances are on a node before it is emptied or worked on, and which run, to report later where they went and which must be started
 * again. Nothing else depends on it: it ignores a node without nova-compute, or a cloud that does not answer.
 */
export async function noteInstancesBefore(node: string, ctx: MaintenanceContext): Promise<void> {
  // Only the first look shows the state before: the operator may have stopped some since.
  if (ctx.world.openstack === null || notedOn(node, ctx) !== undefined) return
  const host = await readComputeHost(node, ctx)
  if (!host.ok || ctx.signal.aborted) return
  const instances = host.value.instances.map(({ instance }) => instance)
  ctx.report(INSTANCES_NOTED, `node/${node}`, {
    host: host.value.service.host,
    ids: instances.map(({ id }) => id),
    instances: instances.map(({ id, name }) => ({ id, name })),
    running: instances.filter(isRunning).map(({ id, name }) => ({ id, name })),
    paused: instances.filter(({ powerState }) => powerState === PAUSED).map(({ id, name }) => ({ id, name })),
  })
}

/** Notes where those instances are now, and their state. */
export async function noteInstancesAfter(node: string, ctx: MaintenanceContext): Promise<void> {
  const { openstack } = ctx.world
  const noted = notedOn(node, ctx)?.values.ids
  if (openstack === null || !Array.isArray(noted)) return
  const ids = noted.filter(id => typeof id === 'string')
  await mapLimited(ids, LOOKS_AT_ONCE, async id => {
    const read = await openstack.getInstance(id, ctx.signal)
    if (read.ok && !ctx.signal.aborted) noteInstance(read.value, ctx)
  })
}

function notedOn(node: string, ctx: MaintenanceContext) {
  return ctx.runHistory().find(({ fact, subject }) => fact === INSTANCES_NOTED && subject === `node/${node}`)
}

/** Notes every instance that is on a node now, and its state. */
export async function noteInstancesOn(node: string, ctx: MaintenanceContext): Promise<void> {
  const host = await readComputeHost(node, ctx)
  if (!host.ok || ctx.signal.aborted) return
  for (const { instance } of host.value.instances) noteInstance(instance, ctx)
}

/** The state of an instance, for the report. */
export function instanceFound(instance: Instance, ctx: MaintenanceContext): Evidence {
  const { id, name, status, host, powerState } = instance
  return evidence(`${instanceSubject(id)} (${name})`, ctx.at(), { now: status, host, powerState })
}

/** Whether its users can use it: it runs by Nova and by the hypervisor. */
export function isRunning({ vmState, powerState }: Instance): boolean {
  return vmState === 'active' && powerState === RUNNING
}

function noteInstance({ id, name, status, host, powerState }: Instance, ctx: MaintenanceContext): void {
  ctx.report(INSTANCE_SEEN, instanceSubject(id), { name, status, host, powerState })
}

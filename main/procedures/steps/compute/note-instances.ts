import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { PAUSED, RUNNING } from '../../../../shared/domain/ran-before.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { INSTANCE_SEEN, INSTANCES_NOTED } from '../../../../shared/domain/run-facts.ts'
import type { Evidence } from '../../../../shared/domain/step-answers.ts'
import { evidence } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { readChangedOf } from './changed-instances.ts'
import { instanceSubject, readComputeHost } from './classify-instances.ts'

const LOOKS_AT_ONCE = 8

/** Notes what runs on a node before the work, to report later where it went. A silent cloud leaves no note, and nothing fails. */
export async function noteInstancesBefore(node: string, ctx: MaintenanceContext): Promise<void> {
  // Only the first read shows the state before: the operator may have stopped some since.
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

export async function noteInstancesAfter(node: string, ctx: MaintenanceContext): Promise<void> {
  const { openstack } = ctx.world
  const noted = notedOn(node, ctx)
  if (openstack === null || noted === undefined || !Array.isArray(noted.values.ids)) return
  const ids = noted.values.ids.filter(id => typeof id === 'string')
  const changed = await readChangedOf(ids, Date.parse(noted.at), ctx)
  await mapLimited(ids, LOOKS_AT_ONCE, async id => {
    const known = changed.get(id)
    const read = known === undefined ? await openstack.getInstance(id, ctx.signal) : ok(known)
    if (read.ok && !ctx.signal.aborted) noteInstance(read.value, ctx)
  })
}

function notedOn(node: string, ctx: MaintenanceContext) {
  return ctx.runHistory().find(({ fact, subject }) => fact === INSTANCES_NOTED && subject === `node/${node}`)
}

export async function noteInstancesOn(node: string, ctx: MaintenanceContext): Promise<void> {
  const host = await readComputeHost(node, ctx)
  if (!host.ok || ctx.signal.aborted) return
  for (const { instance } of host.value.instances) noteInstance(instance, ctx)
}

export function instanceFound(instance: Instance, ctx: MaintenanceContext): Evidence {
  const { id, name, status, host, powerState } = instance
  return evidence(`${instanceSubject(id)} (${name})`, ctx.at(), { now: status, host, powerState })
}

/** Whether it runs by Nova and by the hypervisor. */
export function isRunning({ vmState, powerState }: Instance): boolean {
  return vmState === 'active' && powerState === RUNNING
}

function noteInstance({ id, name, status, host, powerState }: Instance, ctx: MaintenanceContext): void {
  ctx.report(INSTANCE_SEEN, instanceSubject(id), { name, status, host, powerState })
}

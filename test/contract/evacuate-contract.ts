import { expect, it } from 'vitest'
import type { OpenStackPort } from '../../main/ports/openstack.ts'
import type { Instance, Migration } from '../../shared/domain/openstack.ts'
import { failureOf, until, value } from './target.ts'

/** A cloud with a host that a test can kill and bring back, and its instances. */
export interface EvacuateTarget {
  readonly openstack: OpenStackPort
  readonly openstackAsUser: OpenStackPort
  readonly host: string
  /** Instances of the host, by id: ACTIVE, SHUTOFF, in ERROR, PAUSED. */
  readonly running: string
  readonly stopped: string
  readonly broken: string
  readonly paused: string
  /** Stops its nova-compute; settles once Nova reports it as down. */
  dies(): Promise<void>
  /** Its nova-compute starts again. */
  returns(): Promise<void>
  close(): Promise<void>
}

/**
 * What a rescue relies on: force-down and evacuate of the real Nova (nova/compute/api.py, nova/api/openstack/compute/services.py). The tests depend on
 * each other and follow a host that dies.
 */
export function evacuateContract(target: () => EvacuateTarget): void {
  const cloud = () => target().openstack
  const service = async () => {
    const found = value(await cloud().computeService(target().host))
    if (found === null) throw new Error(`${target().host} has a compute service`)
    return found
  }
  const evacuations = async (instanceId: string) =>
    value(await cloud().migrations({ instanceId })).filter(({ type }) => type === 'evacuation')
  const settled = (id: string) =>
    until(`the evacuation of ${id} has ended`, async (): Promise<readonly [Instance, Migration] | null> => {
      const instance = value(await cloud().getInstance(id))
      const [record] = await evacuations(id)
      const hasEnded = record !== undefined && ['done', 'failed', 'error'].includes(record.status)
      return hasEnded && instance.taskState === null ? [instance, record] : null
    })

  it('refuses to evacuate from a host that is up, and writes no record', async () => {
    const refused = failureOf(await cloud().evacuateInstance(target().running))
    expect(refused.code).toBe('bad-input')
    expect(refused.message).toContain('still in use')
    expect(await evacuations(target().running)).toEqual([])
  })

  it('a plain user may neither evacuate nor force down', async () => {
    const { id } = await service()
    expect(failureOf(await target().openstackAsUser.forceComputeServiceDown(id, null)).code).toBe('not-permitted')
    expect(['not-permitted', 'not-found']).toContain(
      failureOf(await target().openstackAsUser.evacuateInstance(target().running)).code,
    )
  })

  it('forces a service down and disables it by one request; it is down at once', async () => {
    await target().dies()
    const { id } = await service()
    const down = value(await cloud().forceComputeServiceDown(id, 'contract test'))
    expect(down).toMatchObject({ forcedDown: true, state: 'down', status: 'disabled', disabledReason: 'contract test' })
    expect(await service()).toMatchObject({ forcedDown: true, state: 'down', disabledReason: 'contract test' })
  })

  it('refuses one that is paused: conflict', async () => {
    expect(failureOf(await cloud().evacuateInstance(target().paused)).code).toBe('conflict')
  })

  it.each([
    ['one that ran, which runs again', (t: EvacuateTarget) => t.running, { status: 'ACTIVE', vmState: 'active' }],
    [
      'one that was stopped, which stays stopped',
      (t: EvacuateTarget) => t.stopped,
      { status: 'SHUTOFF', vmState: 'stopped' },
    ],
    ['one in ERROR, which runs', (t: EvacuateTarget) => t.broken, { status: 'ACTIVE', vmState: 'active' }],
  ])('rebuilds elsewhere %s', async (_which, idOf, expected) => {
    const id = idOf(target())
    value(await cloud().evacuateInstance(id))
    // Nova refuses a second request: `conflict` while the first runs, `bad-input` once the instance's host is up. It never evacuates twice.
    expect(['conflict', 'bad-input']).toContain(failureOf(await cloud().evacuateInstance(id)).code)
    const [instance, record] = await settled(id)
    expect(instance).toMatchObject({ ...expected, taskState: null })
    expect(instance.host).not.toBe(target().host)
    expect(record).toMatchObject({ type: 'evacuation', status: 'done', sourceHost: target().host })
    expect(record.destHost).toBe(instance.host)
    expect(await evacuations(id)).toHaveLength(1)
    expect(value(await cloud().instanceActions(id)).filter(({ action }) => action === 'evacuate')).toHaveLength(1)
  })

  it('refuses to evacuate an instance that has left the host', async () => {
    expect(failureOf(await cloud().evacuateInstance(target().running)).code).toBe('bad-input')
  })

  it('Placement keeps its allocation on the dead host', async () => {
    expect(value(await cloud().consumersOn([target().host]))).toContain(target().running)
  })

  it('refuses to set the host up before it has cleaned up', async () => {
    const { id } = await service()
    const refused = failureOf(await cloud().forceComputeServiceUp(id))
    expect(refused.code).toBe('bad-input')
    expect(refused.message).toContain('evacuation')
  })

  it('a nova-compute that returns destroys its copies and completes the records; then it may be up', async () => {
    await target().returns()
    await until('the records are completed', async () => {
      const [record] = await evacuations(target().running)
      return record?.status === 'completed' ? record : null
    })
    expect(value(await cloud().consumersOn([target().host]))).not.toContain(target().running)
    const { id, forcedDown } = await service()
    // Reporting alone does not undo what an administrator declared.
    expect(forcedDown).toBe(true)
    expect(value(await cloud().forceComputeServiceUp(id))).toMatchObject({ forcedDown: false, status: 'disabled' })
    await until('it is up', async () => ((await service()).state === 'up' ? true : null))
    value(await cloud().enableComputeService(id))
  })
}

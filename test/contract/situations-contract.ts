import { expect, it } from 'vitest'
import type { OpenStackPort } from '../../main/ports/openstack.ts'
import { computeServiceOf } from '../../main/procedures/steps/compute/compute-host.ts'
import { judgeRecords } from '../../main/procedures/steps/compute/compute-records.ts'
import { readReturning } from '../../main/procedures/steps/general/read-verdict.ts'
import { agentsOf, agentsState } from '../../shared/domain/agents-of-node.ts'
import { isReasonOfNova } from '../../shared/domain/disabled-reason.ts'
import { recordsOf } from '../../shared/domain/machine-names.ts'
import { must } from '../../shared/domain/must.ts'
import { fakeNode, fakeWorld } from '../fixtures/procedures/fake-world.ts'
import { until, value } from './target.ts'

/** A cloud that a test can bring into situations of real clouds, at one compute host. */
export interface SituationsTarget {
  readonly openstack: OpenStackPort
  readonly host: string
  /** An instance that runs on the host, by id. */
  readonly instance: string
  /** One of the host's network agents is a dead record, next to the same agent under another name of the host. */
  leaveAgent(): Promise<void>
  /** The host's nova-compute reports under another of its names too. */
  nameTwice(): Promise<void>
  /** The nova-compute under the host's old name ends. */
  endOldName(): Promise<void>
  close(): Promise<void>
}

/** Decisions use what real Nova and Neutron report in these situations. The tests depend on each other. */
export function situationsContract(target: () => SituationsTarget): void {
  const cloud = () => target().openstack
  const node = () => fakeNode(target().host)
  const services = async () => value(await cloud().computeServices())
  const own = async () => must(computeServiceOf(node(), await services()), 'the host has a compute service')
  const records = async () => recordsOf([target().host], await services(), ({ host }) => host)

  it("replaces Nova's own reason by a person’s, and enables the service again", async () => {
    const { id } = await own()
    value(await cloud().disableComputeService(id, 'AUTO: Connection to libvirt lost: 1'))
    expect(isReasonOfNova((await own()).disabledReason)).toBe(true)
    value(await cloud().disableComputeService(id, 'ours'))
    expect(await own()).toMatchObject({ status: 'disabled', disabledReason: 'ours' })
    value(await cloud().enableComputeService(id))
    expect(await own()).toMatchObject({ status: 'enabled', disabledReason: null })
  })

  it('lists an instance that left by cold migration until the move is confirmed', async () => {
    const { host, instance } = target()
    value(await cloud().coldMigrate(instance, null))
    const returning = async () => {
      const world = { ...fakeWorld().port, openstack: cloud() }
      const read = await readReturning(host, { world, signal: new AbortController().signal, at: () => '' })
      return read.returning.map(each => [each.instance.id, each.code])
    }
    await until('it waits to be confirmed', async () => {
      const now = value(await cloud().getInstance(instance))
      return now.status === 'VERIFY_RESIZE' && now.taskState === null ? now : null
    })
    expect(await returning()).toEqual([[instance, 'AwaitsConfirmation']])
    value(await cloud().confirmResize(instance))
    await until('it is confirmed', async () => ((await returning()).length === 0 ? true : null))
  })

  it('a dead record of an agent differs from the agent that reports', async () => {
    await target().leaveAgent()
    const reporting = await until('one agent is left over, and every kind reports', async () => {
      const now = agentsState(agentsOf([target().host], value(await cloud().networkAgents(null))))
      return now.leftovers.length > 0 && now.dead.length === 0 ? now : null
    })
    expect(reporting.several).toEqual([])
    expect(reporting.agents.length).toBeGreaterThan(0)
  })

  it('two reporting records of one machine are two claims', async () => {
    await target().nameTwice()
    await until('both report', async () => {
      const found = await records()
      return found.length === 2 && found.every(({ state }) => state === 'up') ? found : null
    })
    expect(judgeRecords(node(), [node()], await services())).toMatchObject({
      blockers: [{ code: 'SeveralComputeRecords', override: { kind: 'never' } }],
      warnings: [],
    })
  })

  it('once the old one stops it is a dead record, and the other counts', async () => {
    const { host } = target()
    await target().endOldName()
    const old = await until('the old one is down', async () => {
      const found = (await records()).find(each => each.host === host)
      return found?.state === 'down' ? found : null
    })
    expect((await own()).host).not.toBe(host)
    const { blockers, warnings } = judgeRecords(node(), [node()], await services())
    expect(blockers).toEqual([])
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining(`openstack compute service delete ${old.id}`),
    ])
  })
}

import { describe, expect, it } from 'vitest'
import { batchCanLeave } from '../../../../main/procedures/steps/rolling/batch-can-leave.ts'
import { must } from '../../../../shared/domain/must.ts'
import { ok } from '../../../../shared/domain/result.ts'
import type { CheckAnswer } from '../../../../shared/domain/step-answers.ts'
import { fakeContext, fakeNode, fakeWorld } from '../../../fixtures/procedures/fake-world.ts'
import { storageWorld } from '../../../fixtures/procedures/storage-world.ts'

const HOSTS = ['osd-1', 'osd-2', 'osd-3', 'osd-4']
const check = must(batchCanLeave.check, 'it is a check')

function codes(answer: CheckAnswer): readonly string[] {
  return answer.kind === 'blocked' ? answer.blockers.map(({ code }) => code) : []
}

describe('the nodes of a batch together', () => {
  it('need another node that is ready and schedulable, although each alone has one', async () => {
    const world = fakeWorld({ nodes: ['a', 'b', 'c'].map(name => fakeNode(name, { unschedulable: name === 'c' })) })
    const both = await check({ node: 'a', beside: ['b'] }, fakeContext(world))
    expect(codes(both)).toEqual(['LastNodesReady'])
    expect(both).toMatchObject({
      blockers: [{ message: 'Without a, b no node of test would be ready and schedulable.' }],
    })
    expect((await check({ node: 'a', beside: [] }, fakeContext(world))).kind).toBe('ready')
  })

  it('need OSDs that may stop together, although those of each host may stop alone', async () => {
    const { context } = storageWorld('rook', { hosts: HOSTS })
    for (const node of HOSTS) expect((await check({ node, beside: [] }, context())).kind).toBe('ready')
    const answer = await check({ node: 'osd-2', beside: ['osd-1', 'osd-3'] }, context())
    expect(codes(answer)).toEqual(['BatchOsdsNotOkToStop'])
    expect(answer).toMatchObject({
      blockers: [{ message: expect.stringContaining('of osd-1, osd-2, osd-3 to stop together') }],
    })
  })

  it('need every node without OSDs proved to have none, by one read of where OSDs reported', async () => {
    const storage = storageWorld('rook', { hosts: HOSTS })
    const context = storage.context()
    let asked = 0
    const { ceph } = context.world
    const osdsReported: typeof ceph.osdsReported = async signal => {
      asked += 1
      const reported = await ceph.osdsReported(signal)
      return reported.ok ? ok(reported.value.map(osd => (osd.id === 0 ? { ...osd, host: 'ctl-1' } : osd))) : reported
    }
    const lying = { ...context, world: { ...context.world, ceph: { ...ceph, osdsReported } } }
    const answer = await check({ node: 'ctl-1', beside: ['ctl-2', 'osd-2'] }, lying)
    expect(codes(answer)).toEqual(['NotRead'])
    expect(answer).toMatchObject({ blockers: [{ message: expect.stringContaining('but OSD 0 reported from there') }] })
    expect(asked).toBe(1)
  })

  it('a host whose OSDs are down already is not asked about again', async () => {
    const storage = storageWorld('rook', { hosts: HOSTS })
    storage.setHostUp('osd-1', false)
    const answer = await check({ node: 'osd-1', beside: [] }, storage.context())
    expect(answer.kind).toBe('ready')
    expect(JSON.stringify(answer)).not.toContain('ok-to-stop')
  })
})

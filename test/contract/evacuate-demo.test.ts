import { afterAll, beforeAll, describe } from 'vitest'
import { must } from '../../shared/domain/must.ts'
import { startSmallNova } from '../fixtures/small-nova.ts'
import { type EvacuateTarget, evacuateContract } from './evacuate-contract.ts'

// 2.95 leaves every evacuated instance stopped, so older behavior needs an older version.
describe.each(['2.93', '2.96'])('the embedded Nova %s keeps the contract of a host that dies', newest => {
  let target: EvacuateTarget
  beforeAll(async () => {
    const nova = await startSmallNova(newest)
    const { simulator } = nova
    const admin = await nova.connect('small')
    const demo = await nova.connect('small-demo')
    const idOf = (name: string) =>
      must(
        [...simulator.state.servers.values()].find(server => server.name === name),
        `the small cloud has ${name}`,
      ).id
    target = {
      openstack: admin.openstack,
      openstackAsUser: demo.openstack,
      host: 'cmp-1',
      running: idOf('active'),
      stopped: idOf('stopped'),
      broken: idOf('broken'),
      paused: idOf('paused'),
      dies: async () => simulator.faults.setComputeUp('cmp-1', false),
      returns: async () => simulator.faults.setComputeUp('cmp-1', true),
      close: () => nova.close(),
    }
  })
  afterAll(() => target.close())

  evacuateContract(() => target)
})

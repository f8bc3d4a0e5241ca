import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { systemClock } from '../../main/clock/clock.ts'
import { startOpenStackSimulator } from '../../main/demo/openstack/openstack-simulator.ts'
import { must } from '../../shared/domain/must.ts'
import { connectOpenStack } from '../fixtures/connect-openstack.ts'
import { SMALL_CLOUD } from '../unit/demo-openstack/small-cloud.ts'
import { type EvacuateTarget, evacuateContract } from './evacuate-contract.ts'

// 2.95 leaves every evacuated instance stopped: we ask for what was before.
describe.each(['2.93', '2.96'])('the embedded Nova %s keeps the contract of a host that dies', newest => {
  let target: EvacuateTarget
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lockkeeper-contract-'))
    const simulator = await startOpenStackSimulator({
      clock: systemClock,
      seed: SMALL_CLOUD,
      timings: { speed: 20 },
      computeMaxMicroversion: newest,
    })
    const cloudsYaml = join(directory, 'clouds.yaml')
    await writeFile(cloudsYaml, simulator.cloudsYaml('small'))
    const admin = await connectOpenStack(cloudsYaml, 'small')
    const demo = await connectOpenStack(cloudsYaml, 'small-demo')
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
      close: async () => {
        admin.close()
        demo.close()
        await simulator.stop()
        await rm(directory, { recursive: true, force: true })
      },
    }
  })
  afterAll(() => target.close())

  evacuateContract(() => target)
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { systemClock } from '../../main/clock/clock.ts'
import { startOpenStackSimulator } from '../../main/demo/openstack/openstack-simulator.ts'
import { connectOpenStack } from '../fixtures/connect-openstack.ts'
import { SMALL_CLOUD } from '../unit/demo-openstack/small-cloud.ts'
import { type HintsTarget, hintsContract } from './hints-contract.ts'

describe.each(['2.93', '2.99', '2.100', '2.104'])('the embedded Nova %s keeps the contract of hints', newest => {
  let target: HintsTarget
  let close: () => Promise<void>
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
    target = { ...admin, movableServer: 'active', hintedServer: 'theirs' }
    close = async () => {
      admin.close()
      await simulator.stop()
      await rm(directory, { recursive: true, force: true })
    }
  })
  afterAll(() => close())

  hintsContract(() => target)
})

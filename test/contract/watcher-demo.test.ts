import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { type SunbeamOptions, startSunbeam } from '../../main/wings/simulators/start-sunbeam.ts'
import { must } from '../../shared/domain/must.ts'
import { connectWatcher } from '../fixtures/watcher-target.ts'
import { type WatcherTarget, watcherContract } from './watcher-contract.ts'

const WATCHERS: readonly (readonly [string, NonNullable<SunbeamOptions['watcher']>])[] = [
  ['as of 2025.2', {}],
  ['as of the lab', { maxMicroversion: '1.4', oldPlanState: true, canDisableMigration: false }],
]

describe.each(WATCHERS)('the embedded Watcher %s keeps the contract', (_age, watcher) => {
  let target: WatcherTarget
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lockkeeper-contract-'))
    const demo = await startSunbeam({ clock: systemClock, directory, speed: 8 }, { watcher })
    const { cloudsYamlPath: cloudsYaml, cloud } = demo.cluster
    const connected = await connectWatcher({ cloudsYaml, cloud, userCloud: `${cloud}-demo` })
    const { faults } = must(demo.openstack.watcher, 'demo-sunbeam has Watcher')
    target = {
      ...connected,
      host: 'sun-1',
      failedPlanEnds: watcher.oldPlanState === true ? 'SUCCEEDED' : 'FAILED',
      failMigrationOf: async instance => {
        for (const id of Object.keys(faults.actions)) delete faults.actions[id]
        if (instance !== null) faults.actions[instance.id] = 'fail'
      },
      close: async () => {
        await connected.close()
        await demo.stop()
        await rm(directory, { recursive: true, force: true })
      },
    }
  })
  afterAll(() => target.close())

  watcherContract(() => target)
})

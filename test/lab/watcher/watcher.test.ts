import { afterAll, beforeAll, describe } from 'vitest'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { until, value } from '../../contract/target.ts'
import { type WatcherTarget, watcherContract } from '../../contract/watcher-contract.ts'
import { connectWatcher } from '../../fixtures/watcher-target.ts'
import { LAB_CLOUDS } from '../lab-places.ts'
import { clearFaults, setFaults } from '../roles/lab-console.ts'

let target: WatcherTarget

beforeAll(async () => {
  const connected = await connectWatcher({ cloudsYaml: LAB_CLOUDS, cloud: 'lab', userCloud: 'lab-demo' })
  const { openstack } = connected
  // Tests before this one may have moved instances: a host is taken that has what the contract looks at.
  const host = await until('a host in service has two instances or more, all of them ACTIVE', async () => {
    const all = value(await openstack.listInstances()).items
    const inService = value(await openstack.computeServices()).filter(
      ({ status, state }) => status === 'enabled' && state === 'up',
    )
    const fits = (on: readonly Instance[]) => on.length >= 2 && on.every(({ status }) => status === 'ACTIVE')
    return inService.map(each => each.host).find(name => fits(all.filter(each => each.host === name))) ?? null
  })
  target = {
    ...connected,
    host,
    failMigrationOf: instance => (instance === null ? clearFaults() : setFaults({ [instance.name]: { fail: true } })),
  }
})
afterAll(() => target.close())

describe('the real Watcher keeps the contract', () => watcherContract(() => target))

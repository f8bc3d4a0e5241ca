import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until, value } from '../../contract/target.ts'
import { type WatcherTarget, watcherContract } from '../../contract/watcher-contract.ts'
import { connectWatcher } from '../../fixtures/watcher-target.ts'
import { bootServers } from '../cli/boot-servers.ts'
import { openstack } from '../cli/referees.ts'
import { LAB_CLOUDS } from '../lab-places.ts'
import { clearFaults, setFaults } from '../roles/lab-console.ts'

/** The only host of the lab whose instances can all be live-migrated. */
const HOST = 'cmp-3'
const OWN = [`contract-${process.pid}-1`, `contract-${process.pid}-2`]

let target: WatcherTarget

beforeAll(async () => {
  const connected = await connectWatcher({ cloudsYaml: LAB_CLOUDS, cloud: 'lab', userCloud: 'lab-demo' })
  target = {
    ...connected,
    host: HOST,
    // LP 2106407 is fixed in those that can skip an action: 15.0 (2025.2) and newer.
    failedPlanEnds: value(await connected.watcher.about()).canSkip ? 'FAILED' : 'SUCCEEDED',
    failMigrationOf: instance => (instance === null ? clearFaults() : setFaults({ [instance.name]: { fail: true } })),
  }
  // Tests before this one may have left a paused one here; Watcher would move it in a way that Nova refuses.
  for (const { id, status } of value(await target.openstack.instancesOnHost(HOST)).items) {
    if (status !== 'ACTIVE') value(await target.openstack.liveMigrate(id, null))
  }
  await until('every instance here is ACTIVE', async () =>
    value(await target.openstack.instancesOnHost(HOST)).items.every(({ status }) => status === 'ACTIVE') ? true : null,
  )
  await bootServers(
    HOST,
    OWN.map(name => ({ name, tag: null, status: 'ACTIVE' })),
  )
})
afterAll(async () => {
  await openstack('server', 'delete', '--wait', ...OWN)
  await target.close()
})

describe('the real Watcher keeps the contract', () => watcherContract(() => target))

test('a Watcher without a source of figures says so of the strategy that spreads instances', async () => {
  const figures = value(await target.watcher.figures('workload_stabilization'))
  expect(figures).toEqual({ available: false, reported: 'Datasource is not presented for this strategy' })
})

test('reports actions of an unknown strategy by their type', async () => {
  const name = `contract-${process.pid}-dummy`
  const parameters = { para1: 1.5, para2: 'from the contract' }
  const plan = value(await target.watcher.recommend({ goal: 'dummy', strategy: 'dummy', parameters, name }))
  expect(plan.actions.length).toBeGreaterThan(0)
  for (const { kind, type } of plan.actions)
    expect({ kind, type }).toEqual({ kind: 'other', type: expect.stringMatching(/^(nop|sleep)$/) })
  value(await target.watcher.cancel(plan.uuid))
})

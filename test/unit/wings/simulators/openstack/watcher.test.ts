import { describe, expect, it } from 'vitest'
import { must } from '../../../../../shared/domain/must.ts'
import { until } from './small-cloud.ts'
import { saidBy, watcherCloud, wordsOf } from './watcher-cloud.ts'

const ON_CMP_1 = ['active', 'active-2', 'active-3', 'locked', 'apart-1', 'huge']
const NOT_ACTIVE = ['paused', 'stopped', 'suspended', 'broken']

describe('what host_maintenance of an embedded Watcher recommends', () => {
  it('disables the service first, moves what is active live and everything else cold, two at a time', async () => {
    const cloud = await watcherCloud()
    const { actions, words } = await cloud.recommend({ maintenance_node: 'cmp-1' })
    expect(words[0]).toBe('disabled cmp-1')
    const migrations = [...ON_CMP_1.map(name => `live ${name}`), ...NOT_ACTIVE.map(name => `cold ${name}`)]
    expect(words.slice(1).toSorted()).toEqual(migrations.toSorted())
    const [disable, first, second, third] = actions
    expect(disable?.input_parameters.disabled_reason).toBe('watcher_maintaining')
    expect(disable?.parents).toEqual([])
    expect([first?.parents, second?.parents]).toEqual([[disable?.uuid], [disable?.uuid]])
    expect(third?.parents).toEqual([first?.uuid, second?.uuid])
  })

  it.each([
    ['live', { disable_live_migration: true }, [...ON_CMP_1, ...NOT_ACTIVE].map(name => `cold ${name}`)],
    ['cold', { disable_cold_migration: true }, ON_CMP_1.map(name => `live ${name}`)],
    ['both', { disable_live_migration: true, disable_cold_migration: true }, ON_CMP_1.map(name => `stop ${name}`)],
  ])('without %s migration it follows its truth table', async (_, disabled, expected) => {
    const cloud = await watcherCloud()
    const { words } = await cloud.recommend({ maintenance_node: 'cmp-1', ...disabled })
    expect(words.slice(1).toSorted()).toEqual(expected.toSorted())
  })

  it('names the backup node where everything fits there, and enables it when it was disabled', async () => {
    const cloud = await watcherCloud()
    cloud.service('cmp-4').enabled = false
    cloud.watcher.rebuildModel()
    const { words, actions } = await cloud.recommend({ maintenance_node: 'cmp-2', backup_node: 'cmp-4' })
    expect(words.slice(0, 2)).toEqual(['enabled cmp-4', 'disabled cmp-2'])
    const target = cloud.simulator.state.hosts.get('cmp-4')?.id
    expect(actions.slice(2).every(each => each.input_parameters.destination_node === target)).toBe(true)
  })

  it('silently leaves the targets to the scheduler when the backup node is too small', async () => {
    const cloud = await watcherCloud()
    const { actions } = await cloud.recommend({ maintenance_node: 'cmp-1', backup_node: 'cmp-4' })
    expect(actions.some(each => each.input_parameters.destination_node !== undefined)).toBe(false)
  })

  it('fails the audit for a host that it does not know, and makes no plan', async () => {
    const cloud = await watcherCloud()
    const audit = await cloud.audit({ maintenance_node: 'cmp-99' })
    expect(audit.state).toBe('FAILED')
    expect(await cloud.planOf(audit.uuid)).toBeUndefined()
  })

  it('works on the picture of the last period: what changed since is not seen until it looks again', async () => {
    const cloud = await watcherCloud()
    must(cloud.simulator.state.servers.get(cloud.idOf('theirs')), 'there is theirs').host = 'cmp-4'
    expect((await cloud.recommend({ maintenance_node: 'cmp-2' })).words).toContain('live theirs')
    cloud.watcher.rebuildModel()
    expect((await cloud.recommend({ maintenance_node: 'cmp-2' })).words).not.toContain('live theirs')
  })

  it('is never old where the notifications of Nova reach it', async () => {
    const cloud = await watcherCloud({ answersNova: true })
    must(cloud.simulator.state.servers.get(cloud.idOf('theirs')), 'there is theirs').host = 'cmp-4'
    expect((await cloud.recommend({ maintenance_node: 'cmp-2' })).words).not.toContain('live theirs')
  })

  it('looks at the cloud again every period', async () => {
    const cloud = await watcherCloud({}, { watcherModelMs: 40 })
    must(cloud.simulator.state.servers.get(cloud.idOf('theirs')), 'there is theirs').host = 'cmp-4'
    await until(
      async () => (await cloud.recommend({ maintenance_node: 'cmp-2' })).words,
      words => !words.includes('live theirs'),
    )
  })
})

describe('a plan that an embedded Watcher runs', () => {
  it('empties the host through Nova and leaves nova-compute disabled; cold migrations are confirmed', async () => {
    const cloud = await watcherCloud()
    await cloud.act('theirs', 'os-stop')
    await until(
      () => cloud.server('theirs'),
      each => each.status === 'SHUTOFF',
    )
    cloud.watcher.rebuildModel()
    const { plan, words } = await cloud.recommend({ maintenance_node: 'cmp-2' })
    expect(words).toContain('cold theirs')
    expect((await cloud.start(plan)).json.state).toBe('PENDING')
    expect((await cloud.over(plan)).state).toBe('SUCCEEDED')
    expect([...cloud.simulator.state.servers.values()].filter(each => each.host === 'cmp-2')).toEqual([])
    expect(cloud.service('cmp-2')).toMatchObject({ enabled: false, disabledReason: 'watcher_maintaining' })
    expect((await cloud.server('theirs')).status).toBe('SHUTOFF')
  })

  it.each([
    ['FAILED', false],
    ['SUCCEEDED', true],
  ])(
    'ends %s when an action failed and LP 2106407 is %s still there; the others continue',
    async (state, oldPlanState) => {
      const cloud = await watcherCloud({ oldPlanState })
      const { plan } = await cloud.recommend({ maintenance_node: 'cmp-1' })
      await cloud.start(plan)
      expect((await cloud.over(plan)).state).toBe(state)
      const ended = new Map((await cloud.actionsOf(plan)).map(each => [wordsOf(each), each.state]))
      // Nova migrates neither paused nor suspended ones cold, whatever Watcher planned.
      for (const name of ['paused', 'suspended', 'broken']) expect(ended.get(`cold ${name}`)).toBe('FAILED')
      expect([ended.get('live active'), ended.get('cold stopped')]).toEqual(['SUCCEEDED', 'SUCCEEDED'])
    },
  )

  it('cancels what has not begun; what is under way finishes', async () => {
    const cloud = await watcherCloud()
    cloud.simulator.faults.servers.active = { hang: true }
    const { plan } = await cloud.recommend({ maintenance_node: 'cmp-1' })
    await cloud.start(plan)
    const stateOf = async (words: string) => (await cloud.actionsOf(plan)).find(each => wordsOf(each) === words)?.state
    await until(
      () => cloud.server('active'),
      each => each.status === 'MIGRATING',
    )
    expect((await cloud.cancel(plan, 'CANCELLING')).json.state).toBe('CANCELLING')
    expect(await stateOf('live active')).toBe('ONGOING')
    delete cloud.simulator.faults.servers.active
    expect((await cloud.over(plan)).state).toBe('CANCELLED')
    expect(await stateOf('live active')).toBe('SUCCEEDED')
    expect(await stateOf('live huge')).toBe('CANCELLED')
  })

  it('one that has not begun is cancelled with all its actions, and cannot be started any more', async () => {
    const cloud = await watcherCloud()
    const { plan } = await cloud.recommend({ maintenance_node: 'cmp-2' })
    expect((await cloud.cancel(plan)).json.state).toBe('CANCELLED')
    expect(new Set((await cloud.actionsOf(plan)).map(each => each.state))).toEqual(new Set(['CANCELLED']))
    const refused = await cloud.start(plan)
    expect(refused.status).toBe(400)
    expect(saidBy(refused)).toBe("Couldn't start when state is 'CANCELLED'.")
  })

  it('skips what is done already: an instance that left meanwhile, a service that is disabled', async () => {
    const cloud = await watcherCloud()
    const first = await cloud.recommend({ maintenance_node: 'cmp-2' })
    const second = await cloud.recommend({ maintenance_node: 'cmp-2' })
    for (const { plan } of [first, second]) {
      await cloud.start(plan)
      await cloud.over(plan)
    }
    const again = await cloud.actionsOf(second.plan, '1.5')
    expect(new Set(again.map(each => each.state))).toEqual(new Set(['SKIPPED']))
    expect(again.every(each => (each.status_message ?? '') !== '')).toBe(true)
  })

  it('gives up on a migration that takes too long; Nova continues it', async () => {
    const cloud = await watcherCloud({}, { watcherMigrationMs: 4_000 })
    cloud.simulator.faults.servers.theirs = { hang: true }
    const { plan } = await cloud.recommend({ maintenance_node: 'cmp-2' })
    await cloud.start(plan)
    await cloud.over(plan)
    expect((await cloud.actionsOf(plan)).find(each => wordsOf(each) === 'live theirs')?.state).toBe('FAILED')
    expect((await cloud.server('theirs')).status).toBe('MIGRATING')
  })

  it('cancels an audit that is created while a plan runs', async () => {
    const cloud = await watcherCloud()
    cloud.watcher.faults.actions['cmp-2'] = 'hang'
    const { plan } = await cloud.recommend({ maintenance_node: 'cmp-2' })
    await cloud.start(plan)
    await until(
      async () => (await cloud.sendToWatcher('GET', `/v1/action_plans/${plan}`)).json.state,
      state => state === 'ONGOING',
    )
    expect((await cloud.audit({ maintenance_node: 'cmp-1' })).state).toBe('CANCELLED')
  })
})

describe('workload_stabilization of an embedded Watcher', () => {
  it('moves a few active instances live to the emptiest host, and nothing when all are about even', async () => {
    const cloud = await watcherCloud()
    const { words, actions } = await cloud.recommend({}, 'workload_stabilization')
    expect(words.length).toBeGreaterThan(0)
    expect(words.length).toBeLessThanOrEqual(3)
    expect(words.every(each => each.startsWith('live '))).toBe(true)
    expect(actions.every(each => each.input_parameters.destination_node !== undefined)).toBe(true)
    for (const server of cloud.simulator.state.servers.values()) server.host = null
    cloud.watcher.rebuildModel()
    const audit = await cloud.audit({}, 'workload_stabilization')
    expect(await cloud.planOf(audit.uuid)).toMatchObject({ state: 'SUCCEEDED' })
  })
})

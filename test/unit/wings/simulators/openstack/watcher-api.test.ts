import { describe, expect, it } from 'vitest'
import { must } from '../../../../../shared/domain/must.ts'
import { smallCloud } from './small-cloud.ts'
import { saidBy, watcherCloud, wordsOf } from './watcher-cloud.ts'

describe('the API of an embedded Watcher', () => {
  it('is in the catalogue only where the cloud has it', async () => {
    const typesOf = async (cloud: Awaited<ReturnType<typeof smallCloud>>): Promise<readonly string[]> => {
      const headers = { 'x-auth-token': cloud.adminToken }
      const { json } = await cloud.send('GET', '/identity/v3/auth/catalog', { headers })
      return json.catalog.map((each: { readonly type: string }) => each.type)
    }
    expect(await typesOf(await watcherCloud())).toContain('infra-optim')
    expect(await typesOf(await smallCloud())).not.toContain('infra-optim')
  })

  it('skips one action of a plan that waits, from 1.5 on', async () => {
    const cloud = await watcherCloud()
    const { plan, actions } = await cloud.recommend({ maintenance_node: 'cmp-2' })
    const uuid = actions.find(each => wordsOf(each) === 'live theirs')?.uuid
    const skip = (version: string) =>
      cloud.sendToWatcher(
        'PATCH',
        `/v1/actions/${uuid}`,
        [
          { op: 'replace', path: '/state', value: 'SKIPPED' },
          { op: 'replace', path: '/status_message', value: 'its owner asked' },
        ],
        version,
      )
    expect((await skip('1.4')).status).toBe(406)
    expect((await skip('1.5')).json).toMatchObject({ state: 'SKIPPED' })
    await cloud.start(plan)
    await cloud.over(plan)
    expect((await cloud.server('theirs'))['OS-EXT-SRV-ATTR:host']).toBe('cmp-2')
    const skipped = (await cloud.actionsOf(plan, '1.5')).find(each => each.uuid === uuid)
    expect(skipped?.status_message).toContain('its owner asked')
    expect((await skip('1.5')).status).toBe(400)
  })

  it('an older one knows neither skipping nor how to do without migrations', async () => {
    const cloud = await watcherCloud({ maxMicroversion: '1.4', canDisableMigration: false })
    expect((await cloud.sendToWatcher('GET', '/v1/goals', undefined, '1.5')).status).toBe(406)
    const { json } = await cloud.sendToWatcher('GET', '/v1/strategies/host_maintenance')
    expect(Object.keys(json.parameters_spec.properties)).toEqual(['maintenance_node', 'backup_node'])
    const refused = await cloud.sendToWatcher('POST', '/v1/audits', {
      goal: 'cluster_maintaining',
      audit_type: 'ONESHOT',
      parameters: { maintenance_node: 'cmp-1', disable_live_migration: true },
    })
    expect(refused.status).toBe(400)
    expect(saidBy(refused)).toBe('Audit parameter disable_live_migration are not allowed')
  })

  it('a recommendation of yesterday is SUPERSEDED', async () => {
    const cloud = await watcherCloud()
    const { plan } = await cloud.recommend({ maintenance_node: 'cmp-2' })
    const at = cloud.watcher.records.plans.findIndex(each => each.uuid === plan)
    const old = must(cloud.watcher.records.plans[at], 'there is the plan')
    cloud.watcher.records.plans[at] = { ...old, createdAt: old.createdAt - 24 * 3_600_000 - 1 }
    expect((await cloud.sendToWatcher('GET', `/v1/action_plans/${plan}`)).json.state).toBe('SUPERSEDED')
    expect((await cloud.start(plan)).status).toBe(400)
  })

  it('wants an admin, a uuid for the template, and a name that is not taken', async () => {
    const cloud = await watcherCloud()
    const theirs = await cloud.login('demo', 'secret-d', 'demo')
    const refused = await cloud.sendToWatcher('GET', '/v1/audits', undefined, '1.4', theirs)
    expect([refused.status, saidBy(refused)]).toEqual([403, "Policy doesn't allow audit:get_all to be performed."])
    const template = { name: 'ours', goal: 'cluster_maintaining', strategy: 'host_maintenance' }
    expect((await cloud.sendToWatcher('POST', '/v1/audit_templates', template)).status).toBe(201)
    expect((await cloud.sendToWatcher('POST', '/v1/audit_templates', template)).status).toBe(409)
    const byName = { audit_template_uuid: 'ours', audit_type: 'ONESHOT', parameters: { maintenance_node: 'cmp-1' } }
    const wrong = await cloud.sendToWatcher('POST', '/v1/audits', byName)
    expect([wrong.status, saidBy(wrong)]).toEqual([400, expect.stringContaining('Expected a uuid but received ours')])
    const missing = await cloud.sendToWatcher('GET', '/v1/action_plans/00000000-0000-4000-8000-000000000000')
    expect(missing.status).toBe(404)
  })

  it('lists page by page', async () => {
    const cloud = await watcherCloud()
    const { plan, actions } = await cloud.recommend({ maintenance_node: 'cmp-1' })
    const seen: string[] = []
    let path = `/infra-optim/v1/actions?action_plan_uuid=${plan}&limit=4`
    while (path !== '') {
      const { json } = await cloud.send('GET', path, { headers: { 'x-auth-token': cloud.adminToken } })
      seen.push(...json.actions.map((each: { readonly uuid: string }) => each.uuid))
      path = json.next === undefined ? '' : `${new URL(json.next).pathname}${new URL(json.next).search}`
    }
    expect(seen).toEqual(actions.map(each => each.uuid))
  })

  it('answers 503 while that fault is set, and works again afterwards', async () => {
    const cloud = await watcherCloud()
    cloud.simulator.faults.onRequests({
      service: 'infra-optim',
      path: /audit_templates/,
      times: 1,
      effect: { kind: 'status', status: 503 },
    })
    const asked = async () => (await cloud.sendToWatcher('GET', '/v1/audit_templates')).status
    expect([await asked(), await asked()]).toEqual([503, 200])
  })

  it('faults make an audit fail or never end, and fail an action without touching the cloud', async () => {
    const cloud = await watcherCloud()
    cloud.watcher.faults.audits = 'fail'
    expect((await cloud.audit({ maintenance_node: 'cmp-2' })).state).toBe('FAILED')
    cloud.watcher.faults.audits = null
    cloud.watcher.faults.actions.theirs = 'fail'
    const { plan } = await cloud.recommend({ maintenance_node: 'cmp-2' })
    await cloud.start(plan)
    expect((await cloud.over(plan)).state).toBe('FAILED')
    expect(cloud.simulator.state.migrations.some(each => each.serverId === cloud.idOf('theirs'))).toBe(false)
    expect((await cloud.server('theirs'))['OS-EXT-SRV-ATTR:host']).toBe('cmp-2')
  })
})

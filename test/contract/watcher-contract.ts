import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import type { OpenStackPort } from '../../main/ports/openstack.ts'
import type { WatcherPort } from '../../main/ports/watcher.ts'
import { must } from '../../shared/domain/must.ts'
import type { Instance } from '../../shared/domain/openstack.ts'
import type { WatcherPlan } from '../../shared/domain/watcher.ts'
import { failureOf, until, value } from './target.ts'

/** A cloud with Watcher that the contract tests run against. */
export interface WatcherTarget {
  readonly watcher: WatcherPort
  /** The same cloud as a plain user, without the admin role. */
  readonly watcherAsUser: WatcherPort
  readonly openstack: OpenStackPort
  /** A compute host in service with two or more instances, all ACTIVE; they are moved away and brought back. */
  readonly host: string
  /** The state of a plan with a failed action: SUCCEEDED before the fix of LP 2106407. */
  readonly failedPlanEnds: 'SUCCEEDED' | 'FAILED'
  /** Makes migrations of this instance fail from now on; null: none. */
  failMigrationOf(instance: Instance | null): Promise<void>
  close(): Promise<void>
}

const NOBODY = '00000000-0000-4000-8000-000000000000'
const OVER = ['SUCCEEDED', 'FAILED', 'CANCELLED']

/** What our Watcher adapter relies on: the same tests run against the embedded Watcher and the lab's real one. Where they differ, the demo is wrong. */
export function watcherContract(target: () => WatcherTarget): void {
  const watcher = () => target().watcher
  const cloud = () => target().openstack
  const made: string[] = []

  const request = (host: string, more: Readonly<Record<string, string>> = {}) => ({
    goal: 'cluster_maintaining',
    strategy: 'host_maintenance',
    parameters: { maintenance_node: host, ...more },
    name: `contract-${randomUUID().slice(0, 8)}`,
  })

  /** Watcher rebuilds its model of the cloud only from time to time, so this asks until it knows what Nova knows. */
  async function recommended(): Promise<{ readonly plan: WatcherPlan; readonly name: string }> {
    const ids = (await instances()).map(({ id }) => id).sort()
    return until('Watcher knows where the instances are', async () => {
      const asked = request(target().host)
      const answer = await watcher().recommend(asked)
      // Another plan is running.
      if (!answer.ok && answer.failure.code === 'conflict') return null
      const plan = value(answer)
      made.push(plan.uuid)
      // It moves cold or stops an instance while its model misses that the instance was deleted, moved or started.
      const moves = plan.actions.filter(({ kind }) => kind !== 'disable-service')
      const live = moves.filter(({ kind }) => kind === 'live-migrate').map(({ resourceId }) => resourceId)
      if (live.length === moves.length && JSON.stringify(live.sort()) === JSON.stringify(ids))
        return { plan, name: asked.name }
      value(await watcher().cancel(plan.uuid))
      return null
    })
  }

  async function instances(): Promise<readonly Instance[]> {
    return value(await cloud().instancesOnHost(target().host)).items
  }

  async function service() {
    return must(value(await cloud().computeService(target().host)), `${target().host} has a compute service`)
  }

  afterAll(async () => {
    for (const uuid of made) await watcher().cancel(uuid)
  })

  it('offers strategy host_maintenance with at least the host and its backup as parameters', async () => {
    const about = value(await watcher().about())
    expect(about.version).toMatch(/^1\.\d+$/)
    expect(about.maintenanceParameters).toEqual(expect.arrayContaining(['maintenance_node', 'backup_node']))
    expect(about.canSkip).toBe(Number(about.version.slice(2)) >= 5)
  })

  it('a plain user may not use it, and the failure names the rule', async () => {
    const refused = failureOf(await target().watcherAsUser.recommended())
    expect(refused.code).toBe('not-permitted')
    expect(refused.message).toContain('action_plan:get_all')
  })

  it('recommends to disable the service first, then to live-migrate each active instance, and touches nothing', async () => {
    const { plan, name } = await recommended()
    expect(plan.state).toBe('RECOMMENDED')
    expect(plan.actions[0]).toMatchObject({ kind: 'disable-service', resourceName: target().host, state: 'PENDING' })
    const known = new Map((await instances()).map(({ id, name }) => [id, name]))
    for (const action of plan.actions.slice(1)) {
      expect(action).toMatchObject({ kind: 'live-migrate', state: 'PENDING', destination: null })
      expect(known.get(action.resourceId)).toBe(action.resourceName)
      const earlier = plan.actions.slice(0, plan.actions.indexOf(action)).map(({ uuid }) => uuid)
      expect(earlier).toEqual(expect.arrayContaining([...action.parents]))
    }
    expect(await service()).toMatchObject({ status: 'enabled', disabledReason: null })
    expect((await instances()).map(({ id }) => id).sort()).toEqual([...known.keys()].sort())
    expect(value(await watcher().recommended())).toContainEqual({
      planUuid: plan.uuid,
      auditUuid: plan.auditUuid,
      auditName: name,
      // Watchers with disable_live_migration and disable_cold_migration fill in the defaults.
      parameters: expect.objectContaining({ maintenance_node: target().host }),
    })
  })

  it('names the instances that it would stop, if it supports plans without migrations', async context => {
    const { maintenanceParameters } = value(await watcher().about())
    if (!maintenanceParameters.includes('disable_cold_migration')) context.skip()
    const { plan: current } = await recommended()
    value(await watcher().cancel(current.uuid))
    const asked = request(target().host)
    const both = { disable_live_migration: true, disable_cold_migration: true }
    const plan = value(await watcher().recommend({ ...asked, parameters: { ...asked.parameters, ...both } }))
    made.push(plan.uuid)
    const stops = plan.actions.filter(({ kind }) => kind === 'stop')
    expect(stops.map(({ resourceId, resourceName }) => [resourceId, resourceName]).sort()).toEqual(
      (await instances()).map(({ id, name }) => [id, name]).sort(),
    )
    expect(plan.actions.every(({ kind }) => kind === 'stop' || kind === 'disable-service')).toBe(true)
  })

  it('a plan cancelled before its start no longer waits, cannot be started, and can be cancelled again', async () => {
    const { plan } = await recommended()
    expect(value(await watcher().cancel(plan.uuid))).toMatchObject({ uuid: plan.uuid, state: 'CANCELLED' })
    expect(value(await watcher().cancel(plan.uuid)).state).toBe('CANCELLED')
    // A request to cancel only a plan that has not started fails for this one.
    expect(failureOf(await watcher().cancelRecommended(plan.uuid)).code).toBe('conflict')
    expect(failureOf(await watcher().start(plan.uuid))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('CANCELLED'),
    })
    const waiting = value(await watcher().recommended()).map(({ planUuid }) => planUuid)
    expect(waiting).not.toContain(plan.uuid)
    expect(await service()).toMatchObject({ status: 'enabled' })
  })

  it('a name of an audit can be used once: a second one is a conflict', async () => {
    const asked = request(target().host)
    made.push(value(await watcher().recommend(asked)).uuid)
    expect(failureOf(await watcher().recommend(asked)).message).toContain(asked.name)
    expect(failureOf(await watcher().recommend(asked)).code).toBe('conflict')
  })

  it('an unknown parameter of the strategy is bad input, and the failure names it', async () => {
    const refused = failureOf(await watcher().recommend(request(target().host, { nope: 'yes' })))
    expect(refused.code).toBe('bad-input')
    expect(refused.message).toContain('nope')
  })

  it('a host that Watcher does not know fails the audit', async () => {
    const refused = failureOf(await watcher().recommend(request('no-such-host')))
    expect(refused).toMatchObject({ code: 'server-fault', retryable: false })
    expect(refused.message).toContain('ended FAILED')
  })

  it.each([
    ['reading', () => watcher().plan(NOBODY)],
    ['starting', () => watcher().start(NOBODY)],
    ['cancelling', () => watcher().cancel(NOBODY)],
  ])('%s a plan that does not exist is not found', async (_verb, call) => {
    expect(failureOf<unknown>(await call())).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining(NOBODY),
    })
  })

  it('an action can be skipped before the start if the microversion supports it, else it is bad input', async () => {
    const { plan } = await recommended()
    const action = must(plan.actions.at(-1), 'the plan has actions')
    const skipped = await watcher().skip(action.uuid, 'contract test')
    if (value(await watcher().about()).canSkip) {
      value(skipped)
      const now = value(await watcher().plan(plan.uuid)).actions.find(({ uuid }) => uuid === action.uuid)
      expect(now).toMatchObject({ state: 'SKIPPED', statusMessage: expect.stringContaining('contract test') })
    } else {
      expect(failureOf(skipped)).toMatchObject({ code: 'bad-input', message: expect.stringContaining('1.5') })
    }
    value(await watcher().cancel(plan.uuid))
  })

  it('a started plan runs; the action shows a failed migration, whatever the plan’s state is', async () => {
    const there = await instances()
    const [failing, ...others] = there
    await target().failMigrationOf(must(failing, 'the host has instances'))
    try {
      const { plan } = await recommended()
      expect(['PENDING', 'ONGOING']).toContain(value(await watcher().start(plan.uuid)).state)
      expect(failureOf(await watcher().start(plan.uuid)).code).toBe('conflict')

      await until('the plan is ONGOING', async () =>
        value(await watcher().plan(plan.uuid)).state === 'ONGOING' ? true : null,
      )
      const meanwhile = failureOf(await watcher().recommend(request(target().host)))
      expect(meanwhile).toMatchObject({ code: 'conflict', retryable: true })

      const ended = await until('the plan has ended', async () => {
        const now = value(await watcher().plan(plan.uuid))
        return OVER.includes(now.state) ? now : null
      })
      const stateOf = (id: string | undefined) => ended.actions.find(({ resourceId }) => resourceId === id)?.state
      expect(stateOf(failing?.id)).toBe('FAILED')
      expect(others.map(({ id }) => stateOf(id))).toEqual(others.map(() => 'SUCCEEDED'))
      expect(ended.state).toBe(target().failedPlanEnds)
      expect((await instances()).map(({ id }) => id)).toEqual([failing?.id])
      expect(await service()).toMatchObject({ status: 'disabled', disabledReason: 'watcher_maintaining' })
      expect(failureOf(await watcher().cancel(plan.uuid)).code).toBe('conflict')
    } finally {
      await target().failMigrationOf(null)
      value(await cloud().enableComputeService((await service()).id))
      await bringBack(there)
    }
    // A real Watcher moves real instances, one after the other.
  }, 600_000)

  async function bringBack(moved: readonly Instance[]): Promise<void> {
    const here = (await instances()).map(({ id }) => id)
    // Watcher refuses a host that was just enabled until Placement removes its trait; then the test asks again.
    await until('Placement takes the host for open', async () =>
      value(await cloud().closedHosts()).includes(target().host) ? null : true,
    )
    for (const { id } of moved.filter(each => !here.includes(each.id))) {
      value(await cloud().liveMigrate(id, target().host))
    }
    await until('the instances are back', async () =>
      (await instances()).filter(({ status }) => status === 'ACTIVE').length === moved.length ? true : null,
    )
  }
}

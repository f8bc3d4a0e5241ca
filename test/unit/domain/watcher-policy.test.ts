import { describe, expect, test } from 'vitest'
import { usualPolicyOf } from '../../../main/procedures/steps/compute/classify-instances.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { fakeFlavor } from '../../fixtures/procedures/fake-records.ts'
import { fakeCluster, fakeInstance, fakeNode } from '../../fixtures/procedures/fake-world.ts'

const NOTIFY = 'openstack.lcm.mirantis.com:maintenance_action=notify'
const MANUAL = fakeNode('n1', { annotations: { 'openstack.lcm.mirantis.com/instance_migration_mode': 'manual' } })
const EPHEMERAL = fakeFlavor({ name: 'm1.ephemeral', ramMib: 512, diskGib: 1, ephemeralGib: 10 })

const sunbeam = (instance: Partial<Instance>) =>
  usualPolicyOf(fakeInstance('a', 'n1', instance), MANUAL, fakeCluster({ flavour: 'sunbeam' }))

describe('what a maintenance does to an instance on Sunbeam (seed 004, compute role; docs/domain.md B.2)', () => {
  test.each<[string, Partial<Instance>, string, RegExp]>([
    ['an active one moves by Watcher, whatever mode its host has', {}, 'live_migrate', /Watcher's plan/],
    ['SHUTOFF blocks', { status: 'SHUTOFF', vmState: 'stopped', powerState: 4 }, 'blocked', /is SHUTOFF/],
    ['ERROR blocks', { status: 'ERROR', vmState: 'error' }, 'blocked', /is in ERROR/],
    ['MIGRATING blocks', { status: 'MIGRATING', taskState: 'migrating' }, 'blocked', /it is migrating/],
    [
      'a paused one blocks: Watcher plans it cold, Nova refuses that',
      { status: 'PAUSED', vmState: 'paused' },
      'blocked',
      /Nova refuses/,
    ],
    ['an ephemeral disk blocks', { flavor: EPHEMERAL }, 'blocked', /ephemeral disk of 10 GiB/],
  ])('%s', (_rule, instance, action, reason) => {
    expect(sunbeam(instance)).toMatchObject({ action, reason: expect.stringMatching(reason) })
  })

  test('its owner asked for a wait by a tag: Watcher reads no tags, and the text says so', () => {
    expect(sunbeam({ tags: [NOTIFY] })).toMatchObject({
      action: 'live_migrate',
      source: 'watcher',
      warnings: ['it is tagged notify: Watcher ignores tags'],
    })
  })

  test('elsewhere tags and modes decide, and on Sunbeam too where Lockkeeper moves through Nova', () => {
    for (const cluster of [
      fakeCluster({ flavour: 'mosk' }),
      fakeCluster({
        flavour: 'sunbeam',
        roleMaintenance: { ...fakeCluster().roleMaintenance, strategy: 'nova' },
      }),
    ]) {
      expect(usualPolicyOf(fakeInstance('a', 'n1'), MANUAL, cluster)).toMatchObject({
        action: 'notify',
        source: 'host-mode',
      })
    }
  })
})

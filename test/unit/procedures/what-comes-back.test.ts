import { describe, expect, test } from 'vitest'
import { instancesClassified } from '../../../main/procedures/steps/compute/instances-classified.ts'
import { instancesQuiet } from '../../../main/procedures/steps/compute/instances-quiet.ts'
import { instancesStatus } from '../../../main/procedures/steps/compute/instances-status.ts'
import { nodeEmptied } from '../../../main/procedures/steps/general/node-verdict.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Instance, Migration } from '../../../shared/domain/openstack.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import { fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import {
  COMPUTE,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

/** What Nova does with instance a, on cmp-1 or elsewhere, during maintenance of cmp-1. */
interface Situation {
  readonly instance: Partial<Instance>
  readonly migration?: Partial<Migration>
  /** The blocker that the plan names, and a word of its remedy. */
  readonly plan: readonly (readonly [code: string, remedy: RegExp])[]
  /** Why the node is not empty; null: it is. */
  readonly verdict: string | null
}

const TO = { sourceHost: 'cmp-2', destHost: 'cmp-1' } as const
const FROM = { sourceHost: 'cmp-1', destHost: 'cmp-2' } as const
const ELSEWHERE = { host: 'cmp-2' } as const
const MIGRATING = { status: 'MIGRATING', taskState: 'migrating' } as const
const COLD = { type: 'migration' } as const
const ARRIVES = [['InstanceMayReturn', /Wait until it is there/]] as const
const BUSY = [['InstanceBusy', /Wait/]] as const

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'a build on the node': {
    instance: { status: 'BUILD', vmState: 'building', taskState: 'spawning', powerState: 0 },
    plan: [['InstanceBuilding', /openstack server delete a/]],
    verdict: 'Arriving',
  },
  'a build that hangs': {
    instance: { status: 'BUILD', vmState: 'building', taskState: null, powerState: 0 },
    plan: [['InstanceBuilding', /Wait until it is built/]],
    verdict: 'Arriving',
  },
  'shelving on the node': { instance: { taskState: 'shelving' }, plan: BUSY, verdict: 'Busy' },
  'its snapshot for shelving': { instance: { taskState: 'shelving_image_uploading' }, plan: BUSY, verdict: 'Busy' },
  'a shelved one that is offloaded': {
    instance: { status: 'SHELVED', vmState: 'shelved', taskState: 'shelving_offloading', powerState: 4 },
    plan: BUSY,
    verdict: 'Busy',
  },
  'unshelving on the node': {
    instance: { status: 'SHELVED', vmState: 'shelved', taskState: 'unshelving', powerState: 4 },
    plan: BUSY,
    verdict: 'Busy',
  },
  'one that was offloaded, unshelved onto the node': {
    instance: { status: 'SHELVED_OFFLOADED', vmState: 'shelved_offloaded', taskState: 'spawning', powerState: 4 },
    plan: BUSY,
    verdict: 'Busy',
  },
  'a live migration to the node, accepted': {
    instance: { ...ELSEWHERE, ...MIGRATING },
    migration: { ...TO, status: 'accepted' },
    plan: ARRIVES,
    verdict: 'Arriving',
  },
  'a live migration to the node, queued': {
    instance: { ...ELSEWHERE, ...MIGRATING },
    migration: { ...TO, status: 'queued' },
    plan: ARRIVES,
    verdict: 'Arriving',
  },
  'a cold migration to the node, accepted': {
    instance: { ...ELSEWHERE, taskState: 'resize_prep' },
    migration: { ...COLD, ...TO, status: 'accepted' },
    plan: ARRIVES,
    verdict: 'Arriving',
  },
  'an evacuation to the node, accepted': {
    instance: { ...ELSEWHERE, taskState: 'rebuilding' },
    migration: { type: 'evacuation', ...TO, status: 'accepted' },
    plan: ARRIVES,
    verdict: 'Arriving',
  },
  'a live migration from the node, accepted': {
    instance: MIGRATING,
    migration: { ...FROM, destHost: null, status: 'accepted' },
    plan: [['InstanceMigrating', /Wait until that migration has finished/]],
    verdict: 'Busy',
  },
  'a live migration from the node, queued': {
    instance: MIGRATING,
    migration: { ...FROM, status: 'queued' },
    plan: [['InstanceMigrating', /Wait until that migration has finished/]],
    verdict: 'Busy',
  },
  'a cold migration from the node, accepted': {
    instance: { taskState: 'resize_prep' },
    migration: { ...COLD, ...FROM, status: 'accepted' },
    plan: BUSY,
    verdict: 'Busy',
  },
  'a cold migration from the node that is not confirmed': {
    instance: { ...ELSEWHERE, status: 'VERIFY_RESIZE', vmState: 'resized' },
    migration: { ...COLD, ...FROM, status: 'finished' },
    plan: [['InstanceMayReturn', /openstack server resize confirm a/]],
    verdict: 'AwaitsConfirmation',
  },
  'a resize on the node that is not confirmed': {
    instance: { status: 'VERIFY_RESIZE', vmState: 'resized' },
    migration: { type: 'resize', ...TO, status: 'finished' },
    plan: [['InstanceResizeUnconfirmed', /resize confirm/]],
    verdict: 'StillRuns',
  },
  'one that was built and left': {
    instance: ELSEWHERE,
    migration: { ...FROM, status: 'completed' },
    plan: [],
    verdict: null,
  },
}

function worldOf({ instance, migration }: Situation) {
  return fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE, unschedulable: true })],
    services: [fakeService('cmp-1', { status: 'disabled' }), fakeService('cmp-2')],
    instances: [fakeInstance('a', 'cmp-1', instance), fakeInstance('other', 'cmp-2')],
    migrations: migration === undefined ? [] : [fakeMigration({ ...migration, id: 7, instanceId: 'a' })],
  })
}

describe.each(Object.entries(SITUATIONS))('%s', (_, situation) => {
  test('the plan shows it, with its remedy, and a person may force it', async () => {
    const ctx = fakeContext(worldOf(situation))
    const answers = await Promise.all(
      [instancesClassified, instancesQuiet].map(step => must(step.check, 'it has one')({ node: 'cmp-1' }, ctx)),
    )
    // What an instance is on its way from is also what proves that Nova's list of the node is not whole.
    const blockers = answers
      .flatMap(answer => (answer.kind === 'blocked' ? answer.blockers : []))
      .filter(({ code }) => code !== 'InstancesContradicted')
    expect(blockers.map(({ code, override }) => [code, override.kind])).toEqual(
      situation.plan.map(([code]) => [code, 'flag']),
    )
    for (const [at, [, remedy]] of situation.plan.entries()) expect(blockers[at]?.remedy).toMatch(remedy)
  })

  test('the verdict does not call the node empty', async () => {
    const facts: RunFact[] = []
    await nodeEmptied.verify?.(
      { node: 'cmp-1', computes: true, stores: false },
      fakeContext(worldOf(situation), { facts }),
    )
    const verdict = facts.findLast(({ fact }) => fact === 'node-verdict')?.values
    expect(verdict).toMatchObject(
      situation.verdict === null
        ? { kind: 'Empty' }
        : { kind: 'NotEmpty', instances: [{ id: 'a', code: situation.verdict }] },
    )
  })
})

test('where the OpenStack Controller moves instances, the plan names a build and the lock does not wait for it', async () => {
  const situation = must(SITUATIONS['a build on the node'], 'it is in the table')
  const answer = await must(instancesClassified.check, 'it has one')(
    { node: 'cmp-1', waits: true },
    fakeContext(worldOf(situation)),
  )
  expect(answer).toMatchObject({ kind: 'ready' })
  expect(JSON.stringify(answer.warnings)).toContain('Nova is building instance')
})

test('where Watcher moves instances, what comes back is shown too', async () => {
  const situation = must(SITUATIONS['a cold migration from the node that is not confirmed'], 'it is in the table')
  const ctx = fakeContext(worldOf(situation), { options: { strategy: 'watcher' } })
  expect(await must(instancesStatus.check, 'it has one')({ node: 'cmp-1' }, ctx)).toMatchObject({
    kind: 'blocked',
    blockers: [{ code: 'InstanceMayReturn', override: { kind: 'flag' } }],
  })
})

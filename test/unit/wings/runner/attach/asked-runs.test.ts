import { expect, test } from 'vitest'
import type { ConnectedWorld } from '../../../../../main/clusters/clusters.ts'
import { askedRuns } from '../../../../../main/wings/runner/attach/asked-runs.ts'
import type { Attached } from '../../../../../main/wings/runner/attach/attached.ts'
import { failure } from '../../../../../shared/domain/failure.ts'
import type { MaintenanceRun } from '../../../../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../../../../shared/domain/result.ts'
import { sampleRun, sampleSpec, sampleStatus } from '../../../../fixtures/runner/sample-maintenance-run.ts'
import { createVirtualClock } from '../../../../fixtures/virtual-clock.ts'

const PLACE = { by: 'mgmt', namespace: 'lockkeeper' }
const never = new Promise<never>(() => {})

/** Reads places that answer with these objects, or as given; this console has the journal of `run-here`. */
function look(
  places: Readonly<Record<string, readonly MaintenanceRun[] | Promise<never> | Result<never>>>,
  wanted: { readonly cluster?: string; readonly object?: string } = {},
) {
  const clock = createVirtualClock({ auto: true })
  const answer = async (by: string) => {
    const reported = await places[by]
    return Array.isArray(reported) ? ok({ runs: reported as readonly MaintenanceRun[], controls: [] }) : reported
  }
  const attached = {
    places: () => Object.keys(places).map(by => ({ ...PLACE, by })),
    worldOf: async ({ by }: { readonly by: string }) =>
      ok({ maintenanceRuns: () => ({ objects: () => answer(by) }) } as unknown as ConnectedWorld),
    find: (runId: string) => (runId === 'run-here' ? {} : null),
  } as unknown as Pick<Attached, 'places' | 'worldOf' | 'find'>
  return askedRuns({ cluster: null, ...wanted }, { attached, clock, reports: id => id === 'run-own' })
}

const named = (name: string, more: Partial<MaintenanceRun> = {}) => sampleRun({ name, ...more })

test('runs that have not started are shown newest first, and one that became a run here is not shown twice', async () => {
  const found = await look({
    mgmt: [
      named('waits', { status: sampleStatus({ phase: 'Scheduled', message: 'Begins later.' }) }),
      named('new', { createdAt: '2026-11-22T10:00:00Z' }),
      named('here', { status: sampleStatus({ phase: 'Running', runId: 'run-here' }) }),
      named('elsewhere', { createdAt: '2026-11-20T10:00:00Z', status: sampleStatus({ phase: 'Running', runId: 'x' }) }),
    ],
  })
  expect(found.unread).toEqual([])
  expect(found.runs).toMatchObject([
    { object: 'new', phase: null, message: 'No runner has read it yet.', runId: null },
    { object: 'waits', phase: 'Scheduled', message: 'Begins later.', confirmedBy: 'eva', over: false },
    { object: 'elsewhere', runId: 'x', mirrored: false },
  ])
})

test('a run that this console handed over and no runner took is shown only from its journal; one that a runner started, or another console handed over, is shown here', async () => {
  const handed = (name: string, run: string, status: MaintenanceRun['status']) =>
    named(name, { spec: sampleSpec({ handedOver: { run, story: 'x', storyHash: 'a'.repeat(64) } }), status })
  const refused = sampleStatus({ phase: 'Refused', runId: null, driver: null, message: 'Another plan.' })
  const found = await look({
    mgmt: [
      handed('own-waits', 'run-own', null),
      handed('own-refused', 'run-own', refused),
      handed('others-refused', 'run-else', refused),
      handed('own-failed', 'run-own', sampleStatus({ phase: 'Failed', runId: 'run-own', message: 'Begun elsewhere.' })),
    ],
  })
  expect(found.runs.map(({ object, handedOver }) => [object, handedOver]).toSorted()).toEqual([
    ['others-refused', 'run-else'],
    ['own-failed', 'run-own'],
    ['own-waits', 'run-own'],
  ])
})

test('a request by name finds one also when it is a run here', async () => {
  const here = named('here', { status: sampleStatus({ phase: 'Done', runId: 'run-here' }) })
  expect((await look({ mgmt: [here, named('other')] }, { object: 'he' })).runs).toMatchObject([
    { object: 'here', runId: 'run-here', mirrored: true, over: true },
  ])
})

test('of a cluster are those that ask for it, and those of which nobody can tell', async () => {
  const runs = [
    named('of-lab', { spec: sampleSpec({ cluster: 'lab' }) }),
    named('of-edge', { spec: sampleSpec({ cluster: 'edge' }) }),
    named('odd', { spec: { unreadable: 'spec.kind' } }),
  ]
  const found = await look({ mgmt: runs }, { cluster: 'lab' })
  expect(found.runs.map(({ object }) => object).toSorted()).toEqual(['odd', 'of-lab'])
  expect(found.runs.find(({ object }) => object === 'odd')).toMatchObject({
    cluster: null,
    message: expect.stringContaining('This version cannot read it'),
  })
})

test('a place that does not answer, or does not let us read, is named, and hides none of the others', async () => {
  const found = await look({
    slow: never,
    mgmt: [named('waits')],
    closed: failed(failure('not-permitted', 'Ask for the Role lockkeeper-reader of namespace lockkeeper.')),
  })
  expect(found.runs).toMatchObject([{ object: 'waits', by: 'mgmt' }])
  expect(found.unread).toMatchObject([
    {
      by: 'slow',
      namespace: 'lockkeeper',
      code: 'PlaceSilent',
      why: expect.stringContaining('did not answer within 6 s'),
    },
    { by: 'closed', namespace: 'lockkeeper', why: expect.stringContaining('lockkeeper-reader') },
  ])
})

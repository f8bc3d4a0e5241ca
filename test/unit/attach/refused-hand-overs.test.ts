import { expect, test } from 'vitest'
import { createRefusalsHeard } from '../../../main/attach/refused-hand-overs.ts'
import type { ConnectedWorld } from '../../../main/clusters/clusters.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { MaintenanceRun } from '../../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { sampleRun, sampleSpec, sampleStatus } from '../../fixtures/runner/sample-maintenance-run.ts'

const PLACE = { by: 'mgmt', namespace: 'lockkeeper' }
const HASH = 'a'.repeat(64)

/** A console with one run that was handed over, which hears a runner of a place so often, while its object is as told. */
async function heard(
  object: Result<MaintenanceRun | null>,
  {
    at = PLACE,
    isOver = true,
    times = 1,
  }: { readonly at?: typeof PLACE; readonly isOver?: boolean; readonly times?: number } = {},
) {
  const ends: unknown[] = []
  let asks = 0
  const view = {
    handedTo: { ...PLACE, object: 'enter-cmp-01', storyHash: HASH, announcedAt: '2026-11-27T10:00:00.000Z' },
    state: isOver ? { kind: 'finished', outcome: 'handed-over' } : { kind: 'left' },
  }
  const world = {
    maintenanceRuns: () => ({
      run: async () => {
        asks += 1
        return object
      },
    }),
  } as unknown as ConnectedWorld
  const hear = createRefusalsHeard({
    own: {
      view: id => (id === 'run-1' ? (ok({ view, events: [{ seq: 7 }] }) as never) : failed(failure('not-found', id))),
      endHandOver: (_, end) => {
        ends.push(end)
        return ok(undefined)
      },
    },
    journal: { handedOver: () => ok(['run-1', 'imported']), care: { isImported: id => id === 'imported' } },
    log: { warn: () => {} },
  })
  for (let time = 0; time < times; time += 1) await hear(at, world)
  return { ends, asks }
}

const handed = (status: MaintenanceRun['status'], storyHash = HASH): Result<MaintenanceRun> =>
  ok(
    sampleRun({
      name: 'enter-cmp-01',
      spec: sampleSpec({ handedOver: { run: 'run-1', story: 'x', storyHash } }),
      status,
    }),
  )

test.each([
  ['Refused', 'The runner refused MaintenanceRun enter-cmp-01 in namespace lockkeeper of mgmt: Another plan.'],
  ['Aborted', 'MaintenanceRun enter-cmp-01 in namespace lockkeeper of mgmt was withdrawn: Another plan.'],
] as const)(
  'a run that no runner took (%s) is told in the journal of the console that drove it, with why',
  async (phase, why) => {
    const { ends } = await heard(handed(sampleStatus({ phase, message: 'Another plan.' })))
    expect(ends).toEqual([{ kind: 'not-handed-over', why, lastSeq: 7 }])
  },
)

test.each<[string, Result<MaintenanceRun | null>]>([
  ['is not looked at yet', handed(null)],
  ['waits', handed(sampleStatus({ phase: 'Pending', message: 'Later.' }))],
  [
    'is claimed',
    handed(sampleStatus({ phase: 'Refused', driver: { runner: 'other', id: 'x', epoch: 1 }, message: 'x' })),
  ],
  ['was begun and then ended', handed(sampleStatus({ phase: 'Aborted', runId: 'run-1', message: 'x' }))],
  ['is another one of that name', handed(sampleStatus({ phase: 'Refused', message: 'x' }), 'b'.repeat(64))],
  ['cannot be read', handed({ unreadable: 'status.phase' })],
  ['is gone: a runner may have had it', ok(null)],
  ['is not told of just now', failed(failure('unreachable', 'No answer.'))],
])('nothing is told of one whose object %s', async (_, object) => {
  expect((await heard(object)).ends).toEqual([])
})

test('what is heard of another place tells nothing, and asks nothing', async () => {
  const refused = handed(sampleStatus({ phase: 'Refused', message: 'x' }))
  expect(await heard(refused, { at: { ...PLACE, by: 'other' } })).toEqual({ ends: [], asks: 0 })
})

test.each([
  ['that a runner has begun', handed(sampleStatus({ phase: 'Running', runId: 'run-1' })), true, 1],
  ['whose object is gone', ok(null), true, 1],
  ['that may still be made', ok(null), false, 3],
  ['that waits', handed(sampleStatus({ phase: 'Pending' })), true, 3],
] as const)('of one %s it is asked as often as it can change', async (_, object, isOver, asks) => {
  expect((await heard(object, { isOver, times: 3 })).asks).toBe(asks)
})

test('a journal that cannot be read ends nothing but this look', async () => {
  const warned: string[] = []
  const hear = createRefusalsHeard({
    own: { view: () => failed(failure('not-found', 'x')), endHandOver: () => ok(undefined) },
    journal: {
      handedOver: () => ok(['run-1']),
      care: {
        isImported: () => {
          throw new Error('malformed')
        },
      },
    },
    log: { warn: message => warned.push(message) },
  })
  await hear(PLACE, {} as ConnectedWorld)
  expect(warned).toHaveLength(1)
})

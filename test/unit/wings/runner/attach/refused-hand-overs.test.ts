import { expect, test } from 'vitest'
import type { KubernetesWorld } from '../../../../../main/wings/runner/attach/kubernetes-world.ts'
import { createRefusedHandOvers } from '../../../../../main/wings/runner/attach/refused-hand-overs.ts'
import { seconds } from '../../../../../shared/domain/durations.ts'
import { type Failure, failure } from '../../../../../shared/domain/failure.ts'
import type { MaintenanceRun } from '../../../../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../../../../shared/domain/result.ts'
import { sampleRun, sampleSpec, sampleStatus } from '../../../../fixtures/runner/sample-maintenance-run.ts'
import { createVirtualClock } from '../../../../fixtures/virtual-clock.ts'

const PLACE = { by: 'mgmt', namespace: 'lockkeeper' }
const HASH = 'a'.repeat(64)

interface Given {
  readonly at?: typeof PLACE
  readonly hasEnded?: boolean
  /** How often the runner answers, a minute apart. */
  readonly times?: number
  readonly apartMs?: number
  readonly isImported?: (id: string) => boolean
  /** Whether all runners of the place answer, and whether one of them reports the run. */
  readonly isWhole?: boolean
  readonly isReported?: boolean
  readonly runs?: readonly string[]
  readonly readOnly?: Failure | null
  /** The run whose state is requested, first after and then with each answer of the runner. */
  readonly settles?: string
  readonly open?: () => Promise<Result<KubernetesWorld>>
}

/** A console with one run that was handed over, connected to a runner of a place; the run's object is as given. */
async function received(
  object: Result<MaintenanceRun | null>,
  {
    at = PLACE,
    hasEnded = true,
    times = 1,
    apartMs = seconds(60),
    isImported = () => false,
    isWhole = true,
    isReported = false,
    runs = ['run-1'],
    readOnly = null,
    settles,
    open,
  }: Given = {},
) {
  const clock = createVirtualClock()
  const ends: unknown[] = []
  const warned: string[] = []
  let [opened, asks, views] = [0, 0, 0]
  const view = {
    handedTo: { ...PLACE, object: 'enter-cmp-01', storyHash: HASH, announcedAt: '2026-11-27T10:00:00.000Z' },
    state: hasEnded ? { kind: 'finished', outcome: 'handed-over' } : { kind: 'left' },
  }
  const world = {
    maintenanceRuns: () => ({
      run: async () => {
        asks += 1
        return object
      },
    }),
  } as unknown as KubernetesWorld
  const receive = createRefusedHandOvers({
    own: {
      view: () => {
        views += 1
        return ok({ view, events: [] }) as never
      },
      endHandOver: (_, end) => {
        ends.push(end)
        return ok(undefined)
      },
    },
    journal: { handedOver: () => ok(runs.map(id => ({ id, lastSeq: 7 }))), readOnly, care: { isImported } },
    isReported: () => isReported,
    clock,
    log: { warn: message => warned.push(message) },
  })
  const reach = open ?? (async () => ok(world))
  for (let time = 0; time < times; time += 1) {
    receive.received(
      at,
      isWhole,
      () => {
        opened += 1
        return reach()
      },
      new AbortController().signal,
    )
    if (settles !== undefined) await receive.settle(settles, reach)
    await clock.advance(apartMs)
  }
  if (settles !== undefined) {
    const settled = receive.settle(settles, reach)
    await clock.advance(seconds(6))
    await settled
  }
  return { ends, asks, opened, views, warned }
}

const handed = (status: MaintenanceRun['status'], storyHash = HASH): Result<MaintenanceRun> =>
  ok(
    sampleRun({
      name: 'enter-cmp-01',
      spec: sampleSpec({ handedOver: { run: 'run-1', story: 'x', storyHash } }),
      status,
    }),
  )
const REFUSED = handed(sampleStatus({ phase: 'Refused', message: 'Another plan.' }))

test.each([
  ['Refused', 'The runner refused MaintenanceRun enter-cmp-01 in namespace lockkeeper of mgmt: Another plan.'],
  ['Aborted', 'MaintenanceRun enter-cmp-01 in namespace lockkeeper of mgmt was withdrawn: Another plan.'],
] as const)(
  'a run that no runner took (%s) is in the journal of the console that drove it, with the reason',
  async (phase, why) => {
    const { ends } = await received(handed(sampleStatus({ phase, message: 'Another plan.' })))
    expect(ends).toMatchObject([{ kind: 'not-handed-over', said: { message: why }, lastSeq: 7 }])
  },
)

test.each<[string, Result<MaintenanceRun | null>]>([
  ['is not yet checked', handed(null)],
  ['waits', handed(sampleStatus({ phase: 'Pending', message: 'Later.' }))],
  [
    'is claimed',
    handed(sampleStatus({ phase: 'Refused', driver: { runner: 'other', id: 'x', epoch: 1 }, message: 'x' })),
  ],
  ['started and then ended', handed(sampleStatus({ phase: 'Aborted', runId: 'run-1', message: 'x' }))],
  ['is another one of that name', handed(sampleStatus({ phase: 'Refused', message: 'x' }), 'b'.repeat(64))],
  ['cannot be read', handed({ unreadable: 'status.phase' })],
  ['is gone: a runner may have had it', ok(null)],
  ['cannot be read now', failed(failure('unreachable', 'No answer.'))],
])('the journal gets no event of one whose object %s', async (_, object) => {
  const { ends, asks } = await received(object)
  expect({ ends, asks }).toEqual({ ends: [], asks: 1 })
})

test.each<[string, Given]>([
  ['is of another place', { at: { ...PLACE, by: 'other' } }],
  ['came from another journal', { isImported: () => true }],
  ['cannot be written, because the journal is read-only', { readOnly: failure('conflict', 'Only read.') }],
])('nobody is asked about one that %s', async (_, given) => {
  const { ends, asks, opened } = await received(REFUSED, given)
  expect({ ends, asks, opened }).toEqual({ ends: [], asks: 0, opened: 0 })
})

test.each([
  ['that a runner has begun', handed(sampleStatus({ phase: 'Running', runId: 'run-1' })), true, 1],
  ['that may still be made', ok(null), false, 3],
  ['that waits', handed(sampleStatus({ phase: 'Pending' })), true, 3],
] as const)(
  'the object of one %s is read as often as it can change, and its history once',
  async (_, object, hasEnded, asks) => {
    const seen = await received(object, { hasEnded, times: 3 })
    expect({ asks: seen.asks, views: seen.views }).toEqual({ asks, views: 1 })
  },
)

test('a run that a runner reports belongs to that runner, whatever an object says', async () => {
  expect(await received(REFUSED, { isReported: true, times: 2 })).toMatchObject({ ends: [], asks: 1 })
})

test.each<[string, Given, number]>([
  ['is written once no runner has reported the run for a minute', { times: 2 }, 1],
  ['is written for one that was only announced, too', { times: 2, hasEnded: false }, 1],
  [
    'is written although the state of the run was requested meanwhile',
    { times: 5, apartMs: seconds(20), settles: 'run-1' },
    1,
  ],
  ['is not written before', { times: 5, apartMs: seconds(11) }, 0],
  ['is not written until all runners there answer', { times: 5, isWhole: false }, 0],
  ['is not written for a run that a runner reports', { times: 5, isReported: true }, 0],
])('that an object is gone %s', async (_, given, ends) => {
  const reported = (await received(ok(null), given)).ends
  // This console's journal rejects it here, so it is written again.
  expect(reported.slice(0, 1)).toHaveLength(ends)
  for (const each of reported) expect(each).toMatchObject({ said: { code: 'NobodyTellsOfRun' } })
})

test('one run that cannot be read, or written, hides none of the others', async () => {
  const { ends } = await received(REFUSED, {
    runs: ['run-0', 'run-1'],
    isImported: id => {
      if (id === 'run-0') throw new Error('malformed')
      return false
    },
  })
  expect(ends).toHaveLength(1)
})

test('the readable part of a runner’s message is kept', async () => {
  const message = `\u001b[2J\u202e${'x'.repeat(5_000)}`
  const { ends } = await received(handed(sampleStatus({ phase: 'Refused', message })))
  const { message: why } = (ends[0] as { readonly said: { readonly message: string } }).said
  expect(why.length).toBeLessThan(2_000)
  expect(why).not.toContain('\u001b')
})

test('a crowd of events is one look', async () => {
  expect((await received(handed(null), { times: 20, apartMs: 50 })).asks).toBe(1)
})

test('no second check starts before the first has an answer', async () => {
  const { opened } = await received(handed(null), { times: 5, open: () => new Promise(() => {}) })
  expect(opened).toBe(1)
})

test.each<[string, Given]>([
  [
    'a journal that throws',
    {
      isImported: () => {
        throw new Error('malformed')
      },
    },
  ],
  [
    'a way to the cluster that throws',
    {
      open: async () => {
        throw new Error('the credential command is gone')
      },
    },
  ],
])('%s ends nothing but this look', async (_, given) => {
  const { warned } = await received(REFUSED, given)
  expect(warned).toHaveLength(1)
})

test('before the state of a run is shown, its own check ends, and no other', async () => {
  const { ends, asks } = await received(REFUSED, { times: 0, settles: 'run-1' })
  expect({ ends: ends.length, asks }).toEqual({ ends: 1, asks: 1 })
  expect((await received(REFUSED, { times: 0, settles: 'run-2' })).asks).toBe(0)
})

test('it waits a few seconds at most', async () => {
  const { ends } = await received(REFUSED, { times: 0, settles: 'run-1', open: () => new Promise(() => {}) })
  expect(ends).toEqual([])
})

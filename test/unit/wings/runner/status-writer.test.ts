import { describe, expect, test } from 'vitest'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { createStatusWriter } from '../../../../main/wings/runner/status-writer.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { MaintenanceRunStatus } from '../../../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { RUNNER, sampleStatus } from '../../../fixtures/runner/sample-maintenance-run.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const RUN = { name: 'enter-cmp-1', uid: 'uid-1' }
const status = (message: string) => sampleStatus({ message })

/** A writer over a server that answers what is queued for it, else well. */
function writing(answers: Result<void>[] = []) {
  const clock = createVirtualClock()
  const written: { readonly atMs: number; readonly message: string }[] = []
  const conditions: unknown[] = []
  const startMs = clock.now()
  let mayWrite = true
  const until = new AbortController()
  const writer = createStatusWriter({
    objects: {
      setRunStatus: async (_run, { message }: MaintenanceRunStatus, only) => {
        written.push({ atMs: clock.now() - startMs, message })
        conditions.push(only)
        return answers.shift() ?? ok(undefined)
      },
    },
    runner: RUNNER,
    mayWrite: () => mayWrite,
    clock,
    log: silentLogger,
    until: until.signal,
  })
  return { clock, writer, written, conditions, end: () => until.abort(), forbid: () => (mayWrite = false) }
}
const lost = failed(failure('unreachable', 'Gone.'))

describe('statuses are written', () => {
  test('at most once a second a run, the newest only', async () => {
    const { clock, writer, written, end } = writing()
    for (let at = 0; at < 30; at += 1) {
      writer.put(RUN, status(`word ${at}`))
      await clock.advance(100)
    }
    await clock.advance(2_000)
    expect(written.map(({ message }) => message)).toEqual(['word 0', 'word 9', 'word 19', 'word 29'])
    end()
  })

  test('not again where it is so already', async () => {
    const { clock, writer, written, end } = writing()
    writer.put(RUN, status('a'))
    await clock.advance(1_500)
    writer.put(RUN, status('a'))
    await clock.advance(1_500)
    expect(written).toHaveLength(1)
    writer.received(RUN, status('somebody’s'))
    writer.put(RUN, status('a'))
    await clock.advance(1_500)
    expect(written, 'somebody changed it').toHaveLength(2)
    end()
  })

  test('again, later and later, until one is taken', async () => {
    const { clock, writer, written, end } = writing([
      lost,
      lost,
      failed(failure('conflict', 'Changed.', { retryable: true })),
    ])
    writer.put(RUN, status('a'))
    await clock.advance(60_000)
    expect(written.map(({ atMs }) => atMs / 1000)).toEqual([0, 2, 6, 14])
    end()
  })

  test('no more once the object is gone, or nothing may be written', async () => {
    const gone = writing([failed(failure('not-found', 'No such object.'))])
    gone.writer.put(RUN, status('a'))
    await gone.clock.advance(60_000)
    expect(gone.written).toHaveLength(1)
    gone.end()
    const lease = writing()
    lease.forbid()
    lease.writer.put(RUN, status('a'))
    expect(await lease.writer.now(RUN, status('b'))).toBe(false)
    await lease.clock.advance(60_000)
    expect(lease.written).toEqual([])
    lease.end()
  })

  test('at once where something depends on it, and the caller gets the result', async () => {
    const { writer, written, end } = writing([ok(undefined), lost])
    expect(await writer.now(RUN, status('claimed'))).toBe(true)
    expect(await writer.now(RUN, status('again'))).toBe(false)
    expect(written).toHaveLength(2)
    end()
  })
})

describe('what another runner has', () => {
  const held = failed(failure('held', 'Another has it.'))

  test('is never written over in passing, and is not tried again', async () => {
    const { clock, writer, written, conditions, end } = writing([held])
    writer.put(RUN, status('a'))
    await clock.advance(60_000)
    expect(written).toHaveLength(1)
    expect(conditions).toEqual([{ by: RUNNER }])
    end()
  })

  test('a claim is written only on the version that was judged, and a claim that lost does not count', async () => {
    const { writer, conditions, end } = writing([failed(failure('conflict', 'It changed.'))])
    expect(await writer.now(RUN, status('mine'), { seen: '7', by: RUNNER })).toBe(false)
    expect(conditions).toEqual([{ seen: '7', by: RUNNER }])
    end()
  })
})

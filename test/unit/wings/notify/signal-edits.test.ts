import { expect, test } from 'vitest'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { signalHandlers } from '../../../../main/wings/notify/signal-handlers.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { DRIVER } from '../../../fixtures/driver.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'

const REFUSED = failure('bad-input', 'The disk is full.')

/** The handlers where no setting can be written, with the edits that they noted and reported. */
function handlers() {
  const edits: unknown[] = []
  const emitted: unknown[] = []
  const services = {
    clusters: { get: () => ok(fakeCluster({ name: 'east' })), keepSignals: () => failed(REFUSED) },
    secrets: { keep: () => ok(undefined), read: () => failed(failure('not-found', 'None.')), forget: () => {} },
    edits: { record: (edit: unknown) => ok(edits.push(edit)) },
    runs: { driver: DRIVER },
    emit: (name: string) => emitted.push(name),
    log: silentLogger,
  } as unknown as Parameters<typeof signalHandlers>[0]
  return { ask: signalHandlers(services), edits, emitted }
}

const CHAT = { cluster: 'east', name: 'chat', form: 'slack', key: null } as const

test('a change of signal settings that could not be kept is in the journal as one that was refused', async () => {
  const { ask, edits, emitted } = handlers()
  const kept = await ask['webhook.keep']({ ...CHAT, events: ['failed'], url: 'https://hooks.example.org/x' })
  expect(kept).toEqual(failed(REFUSED))
  expect(edits).toMatchObject([
    {
      target: 'cluster/east',
      before: 'signals: none',
      after: expect.stringContaining('chat'),
      refused: 'The disk is full.',
    },
  ])
  expect(emitted).toEqual([])
})

test('input that is not fit is refused and no edit: nothing was written', async () => {
  const { ask, edits } = handlers()
  const kept = await ask['webhook.keep']({ ...CHAT, events: ['failed'], url: 'ftp://hooks.example.org/x' })
  expect(kept).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
  expect(edits).toEqual([])
})

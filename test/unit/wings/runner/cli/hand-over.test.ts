import { describe, expect, it, vi } from 'vitest'
import type { RunnerOffer, SubmittedRun } from '../../../../../shared/contract/index.ts'
import { failure } from '../../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../../shared/domain/result.ts'
import type { RunListState } from '../../../../../shared/domain/run-list-state.ts'
import { createFakeContract } from '../../../../fixtures/cli/fake-contract.ts'
import { createFakeRun } from '../../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal } from '../../../../fixtures/cli/fake-terminal.ts'
import { OFFER } from '../../../../fixtures/cli/sample-offer.ts'
import { createSampleRun, RUN_ID, sampleSummary } from '../../../../fixtures/cli/sample-run.ts'
import { playScenes } from '../../../../fixtures/cli/scenes.ts'

const PLAIN = { LANG: 'C.UTF-8', NO_COLOR: '1' }
const TO = { by: 'mgmt', namespace: 'lockkeeper', object: 'enter-cmp-1-0123456789ab' }
const REFUSED: SubmittedRun = {
  ...TO,
  phase: 'Refused',
  message: 'Its plan is not the one that is made here now.',
  runId: null,
  mirrored: false,
  over: true,
}
const NOT_AT_REST = failure('held', `Run ${RUN_ID} is not paused.`)

/** A console with one run in a state, whose hand-over is refused `moves` times because an instance moves; then the runner refuses it. */
const handing =
  (state: RunListState, moves = 0, offer: RunnerOffer = OFFER) =>
  () => {
    const sample = createSampleRun()
    sample.created()
    let [now, left] = [state, moves]
    return createFakeContract({
      'run.list': () => ok([sampleSummary(state)]),
      'run.show': () => ok({ summary: sampleSummary(now), events: sample.events }),
      'run.pause': () => {
        now = 'paused'
        return ok({})
      },
      'runner.offer': () => ok(offer),
      'runner.hand-over': () => {
        left -= 1
        return left >= 0 ? failed(NOT_AT_REST) : ok(REFUSED)
      },
      'runner.submitted': () => ok(REFUSED),
    })
  }
const HAND_OVER = `run hand-over ${RUN_ID}`
const asked = (more: object = {}) => ['runner.hand-over', expect.objectContaining({ runId: RUN_ID, ...more })] as const

playScenes('a hand-over', 'transcripts/hand-over.txt', handing('paused'), {
  'pauses a run that moves, and hands it over once that rests': {
    says: `${HAND_OVER} --yes --not-after 2026-11-25T22:00:00Z`,
    fake: handing('running', 1),
    play: (terminal, { inputsOf }) =>
      vi.waitFor(() => {
        terminal.letTimePass()
        expect(inputsOf('runner.submitted').length).toBeGreaterThan(0)
      }),
    exit: 3,
    asks: [asked(), ['run.pause', { runId: RUN_ID }], asked({ notAfter: '2026-11-25T22:00:00.000Z' })],
  },
  'does not pause a run that rests': { says: `${HAND_OVER} --yes`, exit: 3, asks: [asked()] },
  'does not pause a run without a driver': {
    says: `${HAND_OVER} --yes`,
    fake: handing('interrupted', 9),
    exit: 3,
    asks: [asked()],
  },
  'asks nothing of a run where no runner takes it': {
    says: `${HAND_OVER} --yes`,
    fake: handing('running', 0, { kind: 'not-offered', why: 'runner does not exist.' }),
    exit: 1,
  },
  'takes a yes that somebody typed, or --yes': { says: HAND_OVER, exit: 2 },
})

describe('a terminal that followed a run', () => {
  it('a run handed over elsewhere says where it continues, and not to resume it here', async () => {
    const run = createFakeRun()
    const terminal = createFakeTerminal({ env: PLAIN, contract: run.fake.contract })
    const code = terminal.run('enter', 'lab', 'cmp-1', '--yes')
    await terminal.printed(RUN_ID)
    await run.asked('run.show')
    run.sample.add({ kind: 'driver-left', why: 'olga left it', handsOver: true })
    run.report()
    run.rest('interrupted')
    await vi.waitFor(() => expect(run.fake.inputsOf('run.show').length).toBeGreaterThan(1))
    run.sample.add({ kind: 'hand-over-announced', by: 'olga', to: TO, storyHash: 'f'.repeat(64) })
    run.sample.finished('handed-over')
    run.rest('handed-over')
    terminal.letTimePass()
    await code
    expect(terminal.out()).toContain('cmp-1 of lab: It is handed-over.')
    expect(terminal.out()).not.toContain('run resume')
  })
})

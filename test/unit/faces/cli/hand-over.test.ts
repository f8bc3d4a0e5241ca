import { describe, expect, it, vi } from 'vitest'
import type { RunListState, RunnerOffer, SubmittedRun } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeRun } from '../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { OFFER } from '../../../fixtures/cli/sample-offer.ts'
import { createRunStory, RUN_ID, sampleSummary } from '../../../fixtures/cli/sample-run.ts'

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
const NOT_AT_REST = failure('held', `Run ${RUN_ID} is not at rest.`)

/** A console with one run in a state, whose hand-over is refused so often because it moves; once it may go, the runner refuses it. */
function handing(state: RunListState, moves = 0, offer: RunnerOffer = OFFER) {
  const story = createRunStory()
  story.created()
  let [now, left] = [state, moves]
  const fake = createFakeContract({
    'run.list': () => ok([sampleSummary(state)]),
    'run.show': () => ok({ summary: sampleSummary(now), events: story.events }),
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
  return { fake, terminal: (tty = false) => createFakeTerminal({ tty, env: PLAIN, contract: fake.contract }) }
}

describe('run hand-over', () => {
  it('pauses a run that moves, and hands it over once that rests; a refusal says how to go on here', async () => {
    const { fake, terminal } = handing('running', 1)
    const shown = terminal()
    const code = shown.run('run', 'hand-over', RUN_ID, '--yes', '--not-after', '2026-11-25T22:00:00Z')
    await vi.waitFor(() => {
      shown.letTimePass()
      expect(fake.inputsOf('runner.submitted').length).toBeGreaterThan(0)
    })
    expect(await code).toBe(3)
    expect(fake.inputsOf('run.pause')).toEqual([{ runId: RUN_ID }])
    expect(fake.inputsOf('runner.hand-over')).toMatchObject([
      { runId: RUN_ID },
      { runId: RUN_ID, notAfter: '2026-11-25T22:00:00.000Z' },
    ])
    expect(shown.err()).toContain('Its plan is not the one that is made here now.')
    expect(shown.out()).toContain(`next: \`lockkeeper run resume ${RUN_ID}\`, to take it back and go on from here`)
  })

  it('does not pause one that rests', async () => {
    const { fake, terminal } = handing('paused')
    await terminal().run('run', 'hand-over', RUN_ID, '--yes')
    expect(fake.inputsOf('run.pause')).toEqual([])
    expect(fake.inputsOf('runner.hand-over')).toHaveLength(1)
  })

  it('does not pause what nobody drives, and says what stands in its way', async () => {
    const { fake, terminal } = handing('interrupted', 9)
    const shown = terminal()
    expect(await shown.run('run', 'hand-over', RUN_ID, '--yes')).toBe(3)
    expect(fake.inputsOf('run.pause')).toEqual([])
    expect(shown.err()).toContain('is not at rest')
  })

  it('asks nothing of a run where no runner takes it, and says why', async () => {
    const { fake, terminal } = handing('running', 0, { kind: 'not-offered', why: 'There is no runner.' })
    const shown = terminal()
    expect(await shown.run('run', 'hand-over', RUN_ID, '--yes')).toBe(1)
    expect(shown.err()).toContain('There is no runner.')
    expect([...fake.inputsOf('run.pause'), ...fake.inputsOf('runner.hand-over')]).toEqual([])
  })

  it('takes a yes that somebody typed, or --yes', async () => {
    const { fake, terminal } = handing('paused')
    expect(await terminal().run('run', 'hand-over', RUN_ID)).toBe(2)
    expect(fake.inputsOf('runner.hand-over')).toEqual([])
  })
})

describe('a terminal that followed a run', () => {
  it('which was handed over from elsewhere says where it goes on, and not to resume it here', async () => {
    const run = createFakeRun()
    const terminal = createFakeTerminal({ env: PLAIN, contract: run.fake.contract })
    const code = terminal.run('enter', 'lab', 'cmp-1', '--yes')
    await terminal.printed(RUN_ID)
    await run.asked('run.show')
    run.story.add({ kind: 'driver-left', why: 'olga left it', handsOver: true })
    run.tell()
    run.rest('interrupted')
    await vi.waitFor(() => expect(run.fake.inputsOf('run.show').length).toBeGreaterThan(1))
    run.story.add({ kind: 'hand-over-announced', by: 'olga', to: TO, storyHash: 'f'.repeat(64) })
    run.story.finished('handed-over')
    run.rest('handed-over')
    terminal.letTimePass()
    await code
    expect(terminal.out()).toContain('cmp-1 of lab: It is handed-over.')
    expect(terminal.out()).not.toContain('run resume')
  })
})

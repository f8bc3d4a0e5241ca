import { describe, expect, test } from 'vitest'
import { createRunNews } from '../../../../main/wings/notify/run-news.ts'
import type { RunEventBody } from '../../../../shared/domain/run.ts'
import { SignalNews } from '../../../../shared/domain/signals.ts'
import { sampleNotEmpty } from '../../../fixtures/cli/sample-run.ts'
import { DRIVER } from '../../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { temporaryJournal } from '../../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal()
const AT = '2026-01-01T00:05:00.000Z'
const DRIVEN: RunEventBody = { kind: 'run-driven', driver: DRIVER, resumed: false }
const GATE: RunEventBody = {
  kind: 'gate-opened',
  stepId: 's',
  gateId: 'g1',
  question: 'Continue?',
  choices: ['retry', 'abort'],
}
const ANSWERED: RunEventBody = {
  kind: 'gate-answered',
  stepId: 's',
  gateId: 'g1',
  choice: 'retry',
  reason: '',
  by: 'eva',
}

/** News of a run that `driver-1` drives, as the console of `id` tells it. */
function newsOf(id: string = DRIVER.id, operator: string = DRIVER.operator) {
  const journal = here.open()
  const reported: SignalNews[] = []
  const news = createRunNews({
    journal,
    driver: { ...DRIVER, id, operator, bootId: 'boot-1' },
    clock: here.clock,
    report: each => reported.push(each),
  })
  const created = journal.createRun('run-1', {
    kind: 'run-created',
    plan: toyPlan([switchStep('first')]),
    driver: DRIVER,
  })
  news.received(created)
  return { news, reported, write: (body: RunEventBody) => news.received(journal.append('run-1', body, DRIVER)) }
}

describe('the reports of a run', () => {
  test('name its start, its open question and its end, each with an id that follows from the journal', async () => {
    const { reported, write } = newsOf()
    write(DRIVEN)
    write(GATE)
    await here.clock.advance(3_000)
    write(ANSWERED)
    write({ kind: 'run-finished', outcome: 'aborted', summary: 'Aborted by eva.', leftBehind: ['cmp-1 is cordoned.'] })
    expect(reported.map(({ id, event, outcome }) => [id, event, outcome])).toEqual([
      ['run-1.started', 'started', null],
      ['run-1.asks.g1', 'waiting', null],
      [expect.stringMatching(/^run-1\.over\.\d+$/), 'failed', 'aborted'],
    ])
    expect(reported[1]?.text).toBe('Continue? (retry, abort)')
    expect(reported[2]?.text).toBe('Aborted by eva. Still changed: cmp-1 is cordoned.')
    expect(reported[2]?.ending).toEqual({
      kind: 'Stopped',
      outcome: 'aborted',
      changed: ['cmp-1 is cordoned.'],
      accepted: [],
    })
  })

  test.each([
    [sampleNotEmpty('cmp-1').verdict, 'not-reached', 'NodeNotEmpty', /: not empty$/],
    [
      { kind: 'Unknown', at: AT, looked: [], unread: [{ what: 'instances', code: 'NoAnswer', message: '' }] },
      'not-reached',
      'NodeNotEmpty',
      /: maybe not empty$/,
    ],
    [
      { kind: 'HeldBack', at: AT, looked: [], by: [{ code: 'Cordoned' }] },
      'not-reached',
      'HeldBack',
      /: takes no work$/,
    ],
    [{ kind: 'Empty', at: AT, looked: [], off: [], declined: [] }, 'done', 'NodeEmpty', /: done$/],
  ] as const)(
    'of a run that went through say what its node is, as a code and in words',
    (verdict, event, kind, title) => {
      const { reported, write } = newsOf()
      write({
        kind: 'fact',
        stepId: 'first',
        fact: 'node-verdict',
        subject: 'node/cmp-1',
        announces: false,
        values: JSON.parse(JSON.stringify(verdict)),
      })
      write({ kind: 'run-finished', outcome: 'done', summary: 'The run has finished.', leftBehind: [] })
      expect(reported).toMatchObject([{ event, outcome: 'done', ending: { kind, node: 'cmp-1', verdict } }])
      expect(reported[0]?.title).toMatch(title)
      expect(SignalNews.parse(JSON.parse(JSON.stringify(reported[0])))).toEqual(reported[0])
    },
  )

  test('is silent about a question that is answered at once, as one that was answered beforehand is', async () => {
    const { reported, write } = newsOf()
    write(GATE)
    await here.clock.advance(1_000)
    write(ANSWERED)
    await here.clock.advance(60_000)
    expect(reported).toEqual([])
  })

  test('omit a run that is handed over, and say that it is paused once its runner refused it', async () => {
    const { reported, write } = newsOf()
    write({ kind: 'driver-left', why: 'Handed over.', handsOver: true })
    const to = { by: 'mgmt', namespace: 'lockkeeper', object: 'enter-cmp-1' }
    write({ kind: 'hand-over-announced', by: 'eva', to, storyHash: 'f'.repeat(64) })
    write({ kind: 'run-finished', outcome: 'handed-over', summary: 'There.', leftBehind: [] })
    await here.clock.advance(60_000)
    expect(reported).toEqual([])
    write({ kind: 'hand-over-failed', why: 'The runner refused it: another plan.' })
    expect(reported).toMatchObject([
      {
        event: 'failed',
        outcome: 'interrupted',
        text: expect.stringContaining('The runner refused it: another plan.'),
      },
    ])
  })

  test('drop a delayed question when its run has ended or was left', async () => {
    const { news, reported, write } = newsOf()
    write(GATE)
    write({ kind: 'run-finished', outcome: 'aborted', summary: 'Aborted by eva.', leftBehind: [] })
    await here.clock.advance(60_000)
    news.flush()
    expect(reported).toMatchObject([{ event: 'failed', outcome: 'aborted' }])
  })

  test('asks on before its console ends', () => {
    const { news, reported, write } = newsOf()
    write(GATE)
    news.flush()
    expect(reported).toMatchObject([{ event: 'waiting' }])
  })

  test('a run that continues after an interruption has not started again; a run that was left can be resumed', () => {
    const { reported, write } = newsOf()
    write({ ...DRIVEN, resumed: true })
    write({ kind: 'driver-left', why: 'Left to be resumed' })
    expect(reported).toMatchObject([
      {
        event: 'failed',
        outcome: 'interrupted',
        text: 'Left to be resumed. Resume it: `lockkeeper run resume run-1`',
      },
    ])
  })

  test('an instance about which somebody has to decide is a question too', async () => {
    const { reported, write } = newsOf()
    const fact = { kind: 'fact', stepId: 's', subject: 'server/1', announces: false } as const
    write({ ...fact, fact: 'migration-asks', values: { name: 'web-1', cause: 'It makes no progress.' } })
    await here.clock.advance(3_000)
    expect(reported).toMatchObject([{ event: 'waiting', text: 'web-1: It makes no progress.' }])
    write({ ...fact, fact: 'migration-asks', values: { name: 'web-1', cause: 'Again.' } })
    write({ ...fact, fact: 'instance-decided', values: { choice: 'skip' } })
    await here.clock.advance(3_000)
    expect(reported).toHaveLength(1)
  })

  test('the process that drives a run reports it', async () => {
    const { reported, write } = newsOf('driver-2')
    for (const body of [DRIVEN, GATE]) write(body)
    await here.clock.advance(60_000)
    expect(reported).toEqual([])
  })

  test('the process that reports a run whose console fell silent is not taken for its driver', () => {
    const { news, reported, write } = newsOf('driver-2', 'adam')
    write({ ...DRIVEN, driver: { ...DRIVER, operator: 'eva', machine: 'bastion' } })
    news.interrupted('run-1')
    expect(reported).toMatchObject([{ outcome: 'interrupted', run: { operator: 'eva', machine: 'bastion' } }])
  })
})

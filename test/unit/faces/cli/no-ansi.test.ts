import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeRun } from '../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal, type FakeTerminalOptions } from '../../../fixtures/cli/fake-terminal.ts'
import { blocking, holding, sampleBlocker, samplePlan } from '../../../fixtures/cli/sample-plan.ts'

/** Text as a hostile name or message may carry it: control characters, terminal sequences, direction overrides, anything. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u001b[31m',
        '\u001b[2J',
        '\u001b]0;t\u0007',
        '\u009b1A',
        '\r',
        '\u0007',
        '\u001b',
        '\u202e',
        '\u007f',
        '\u0080\u0085',
        'a\nb',
        'plain words',
      ),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map(parts => parts.join(''))

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

/** A whole run, and lists and failures, of a cloud whose every name is hostile. */
async function everythingPrinted(
  text: string,
  options: FakeTerminalOptions,
  more: readonly string[] = [],
): Promise<string> {
  const effects = [
    {
      kind: 'instance',
      id: 'i',
      name: text,
      status: text,
      action: 'live_migrate',
      source: 'tag',
      reason: text,
      warnings: [text],
    },
    { kind: 'pod', namespace: text, name: text, uid: 'u', fate: 'evict', reason: text, warnings: [text], budgets: [] },
    { kind: 'change', target: text, from: text, to: text },
  ] as const
  const run = createFakeRun(
    samplePlan({
      answers: {
        'node-exists': holding(
          text,
          effects.map(effect => structuredClone(effect) as never),
          [text],
        ),
      },
    }),
  )
  void run.asked('run.show').then(() => {
    run.sample.started('drain-node')
    run.sample.fact('drain-node', 'pod.eviction-refused', `pod/${text}`, { uid: 'u', sentence: text, retryAt: text })
    run.sample.fact('migrate-instances', 'migration-requested', `server/${text}`, { name: text, attempt: 1 })
    run.sample.fact('migrate-instances', 'migration-failed', `server/${text}`, { name: text, attempt: 1, why: text })
    run.sample.add({
      kind: 'step-failed',
      stepId: 'drain-node',
      failure: { code: 'internal', message: text, detail: text, retryable: true },
    })
    run.report()
    run.end('failed')
  })
  const entering = createFakeTerminal({ ...options, contract: run.fake.contract })
  await entering.run('enter', text.startsWith('-') ? 'lab' : text || 'lab', 'cmp-1', '--yes', '-v', ...more)
  const blockedPlan = samplePlan({
    startable: false,
    answers: { 'node-exists': blocking({ ...sampleBlocker('a', null), message: text, remedy: text }) },
  })
  const other = createFakeContract({
    'plan.make': () => ok(blockedPlan),
    'node.list': () => failed(failure('internal', text, { detail: text, target: text })),
  })
  const planning = createFakeTerminal({ ...options, contract: other.contract })
  await planning.run('plan', 'enter', 'lab', 'cmp-1', '-v', ...more)
  await planning.run('nodes', 'lab', '-v', ...more)
  await planning.run('nodes', 'lab', ...more, `--${text}`)
  return entering.all() + planning.all()
}

describe('what a cloud says can never steer the terminal', () => {
  it.each<[string, FakeTerminalOptions]>([
    ['into a pipe', { tty: false }],
    ['on a terminal with NO_COLOR', { tty: true, env: { TERM: 'xterm', NO_COLOR: '1', LANG: 'C.UTF-8' } }],
    ['on a dumb terminal', { tty: true, env: { TERM: 'dumb', LANG: 'C.UTF-8' } }],
  ])('%s no control character is ever printed', async (_where, options) => {
    await fc.assert(
      fc.asyncProperty(hostile, async text => {
        expect(await everythingPrinted(text, options)).not.toMatch(CONTROL)
      }),
      { numRuns: 60 },
    )
  })

  it('on a terminal with colours only our own colours and redrawing are printed', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async text => {
        const printed = await everythingPrinted(text, { tty: true })
        const without = printed.replaceAll(/\u001b\[(?:0|1|2|31|32|33)m|\u001b\[\d+A\r\u001b\[0J/g, '')
        expect(without).not.toMatch(CONTROL)
      }),
      { numRuns: 60 },
    )
  })

  it('with -o json neither the answer nor what people see of it can steer the terminal', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async text => {
        expect(await everythingPrinted(text, { tty: true }, ['-o', 'json'])).not.toMatch(CONTROL)
      }),
      { numRuns: 60 },
    )
  })

  it('with --no-color on a terminal nothing is coloured', async () => {
    const run = createFakeRun()
    const terminal = createFakeTerminal({ tty: true, contract: run.fake.contract })
    await terminal.run('plan', 'enter', 'lab', 'cmp-1', '--no-color')
    expect(terminal.all()).toContain('Take cmp-1 of lab out of service')
    expect(terminal.all()).not.toContain('\u001b')
  })

  it('a hostile name stays itself in JSON, written so that no terminal obeys it', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async text => {
        const fake = createFakeContract({
          'plan.make': () => ok(samplePlan({ answers: { 'node-exists': holding(text) } })),
        })
        const terminal = createFakeTerminal({ tty: true, contract: fake.contract })
        await terminal.run('plan', 'enter', 'lab', 'cmp-1', '-o', 'json')
        expect(terminal.out()).not.toMatch(CONTROL)
        expect(terminal.json()).toMatchObject({ checks: [{ answer: { reason: text } }, {}, {}, {}] })
      }),
      { numRuns: 60 },
    )
  })
})

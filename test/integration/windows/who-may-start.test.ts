import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Contract, ListedWindow, RequestInput } from '../../../shared/contract/index.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import type { WindowDraft } from '../../../shared/domain/window.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { EDGE, PLAIN, startTwoClouds, type TwoClouds } from '../../fixtures/windows/two-clouds.ts'
import { batches, draft } from '../../fixtures/windows/window-drafts.ts'

/** To which window a run belongs, who may start one when, and what is not a window. */
let clouds: TwoClouds

beforeAll(async () => {
  clouds = await startTwoClouds()
})

afterAll(async () => {
  await clouds.close()
})

const ask: Contract['ask'] = (name, input) => clouds.app.contract.ask(name, input)

async function opened(made: WindowDraft): Promise<ListedWindow> {
  return valueIn(await ask('window.create', { draft: made }))
}

async function viewOf(runId: string): Promise<RunView> {
  return foldRun(valueIn(await ask('run.show', { runId })).events)
}

describe('a run and the windows of its cluster', () => {
  const entering = async (more: Partial<RequestInput<'run.start'>> = {}) => {
    const { plan } = valueIn(await ask('plan.make', { cluster: PLAIN, node: 'cmp-05', kind: 'enter', choices: {} }))
    return ask('run.start', { planId: plan.id, ...more })
  }
  const onProduction = async (
    reason: string,
    more: Partial<RequestInput<'run.start'>> = {},
  ): Promise<ReturnType<typeof entering>> => {
    const { plan } = valueIn(
      await ask('plan.make', { cluster: EDGE, node: 'edge-1', kind: 'enter', choices: { reason } }),
    )
    return ask('run.start', { planId: plan.id, typedCluster: EDGE, ...more })
  }

  it('none open on production: it is refused without a reason, and the next one is named', async () => {
    const next = await opened(
      draft(
        EDGE,
        'Next week',
        { kind: 'open' },
        {
          startsAt: '2099-11-22T21:00:00.000Z',
          endsAt: '2099-11-23T03:00:00.000Z',
        },
      ),
    )
    const refused = failureIn(await onProduction(''))
    expect(refused.code).toBe('conflict')
    expect(refused.reason).toBe('NoWindowOpen')
    expect(refused.message).toContain(
      `"Next week" (${next.window.id}), begins at 2099-11-22 22:00 +01:00 (Europe/Berlin)`,
    )
    const early = failureIn(await onProduction('', { windowId: next.window.id }))
    expect(early.message).toContain('begins at 2099-11-22 22:00 +01:00')
    valueIn(await ask('window.cancel', { id: next.window.id, why: 'only a test' }))
    expect(failureIn(await onProduction('', { windowId: next.window.id })).message).toContain('was cancelled')
  })

  it('work of a window does not start before it begins, and the refusal says what to do', async () => {
    const later = { startsAt: '2099-11-22T21:00:00.000Z', endsAt: '2099-11-23T03:00:00.000Z' }
    const { window } = await opened(draft(PLAIN, 'Own', batches({ kind: 'person' }, ['cmp-05']), later))
    const { plan } = valueIn(await ask('window.plan', { id: window.id, choices: {} }))
    const { message } = failureIn(await ask('run.start', { planId: plan.id }))
    expect(message).toContain(`\`lockkeeper window start ${window.id} --when-it-begins\``)
    expect(message).toContain(`\`lockkeeper window change ${window.id}\` changes its times`)
    expect(message).not.toContain('outside')
    valueIn(await ask('window.cancel', { id: window.id, why: 'only a test' }))
  })

  it('several open: it is refused until it says which; one of another cloud does not count', async () => {
    const [first, second, other] = [
      await opened(draft(PLAIN, 'First', { kind: 'open' })),
      await opened(draft(PLAIN, 'Second', { kind: 'open' })),
      await opened(draft(EDGE, 'Other', { kind: 'open' })),
    ]
    const refused = failureIn(await entering({ outsideWindow: 'because' }))
    expect(refused.message).toContain(`2 windows are open on plain`)
    expect(refused.message).toContain(first.window.id)
    expect(refused.message).toContain(second.window.id)
    expect(failureIn(await entering({ windowId: other.window.id })).message).toContain('belongs to cloud edge')
    for (const { window } of [first, second, other]) {
      valueIn(await ask('window.cancel', { id: window.id, why: 'only a test' }))
    }
  })

  it('outside any it is journaled why, and the way back asks for nothing', async () => {
    const entered = valueIn(await entering({ outsideWindow: 'the fan is loud' }))
    await vi.waitFor(async () => expect((await viewOf(entered.id)).state.kind).toBe('finished'), { timeout: 30_000 })
    const view = await viewOf(entered.id)
    expect(view.state).toMatchObject({ outcome: 'done' })
    expect(view.plan.window).toEqual({ kind: 'outside', reason: 'the fan is loud' })
    const window = await opened(draft(PLAIN, 'One by one', { kind: 'open' }))
    const { plan } = valueIn(await ask('plan.make', { cluster: PLAIN, node: 'cmp-05', kind: 'leave', choices: {} }))
    const left = valueIn(await ask('run.start', { planId: plan.id }))
    const busy = failureIn(await ask('window.close', { id: window.window.id, summary: 'too early' }))
    expect(busy.message).toContain(left.id)
    await vi.waitFor(async () => expect((await viewOf(left.id)).state.kind).toBe('finished'), { timeout: 30_000 })
    expect((await viewOf(left.id)).plan.window, 'the only open one').toMatchObject({ kind: 'in', id: window.window.id })
    const closed = valueIn(await ask('window.close', { id: window.window.id, summary: 'done' }))
    expect(closed).toMatchObject({ status: 'closed', runs: [{ id: left.id }] })
    expect(failureIn(await entering({ windowId: window.window.id })).message).toContain('was closed')
  })

  it('on production the reason of the run is enough; elsewhere nobody gives one', async () => {
    const ended = async (runId: string) => {
      await vi.waitFor(async () => expect((await viewOf(runId)).state.kind).toBe('finished'), { timeout: 30_000 })
      return (await viewOf(runId)).plan.window
    }
    const edge = valueIn(await onProduction('ticket 4711'))
    expect(await ended(edge.id)).toEqual({ kind: 'outside', reason: 'ticket 4711' })
    const plain = valueIn(await entering())
    expect(await ended(plain.id)).toBeNull()
  })

  it('a change that was made from an older state is refused, and so is moving it to another cluster', async () => {
    const { window } = await opened(draft(PLAIN, 'Shared', { kind: 'open' }))
    const changed = valueIn(
      await ask('window.change', {
        id: window.id,
        revision: window.revision,
        draft: draft(PLAIN, 'Shared, longer', { kind: 'open' }),
      }),
    )
    expect(changed.window.title).toBe('Shared, longer')
    const stale = { id: window.id, revision: window.revision, draft: draft(PLAIN, 'Mine', { kind: 'open' }) }
    expect(failureIn(await ask('window.change', stale)).message).toContain('Someone else changed this window meanwhile')
    const moved = { id: window.id, revision: changed.window.revision, draft: draft(EDGE, 'Mine', { kind: 'open' }) }
    expect(failureIn(await ask('window.change', moved)).message).toContain(
      'belongs to cloud plain, which cannot change',
    )
    valueIn(await ask('window.cancel', { id: window.id, why: 'only a test' }))
  })

  it.each([
    [{ endsAt: '2020-01-01T00:00:00.000Z' }, 'A window must end after it starts'],
    [{ timeZone: 'Europe/Bonn' }, 'Time zone "Europe/Bonn" is unknown'],
    [{ cluster: 'nowhere' }, 'nowhere'],
    [{ plan: batches({ kind: 'person' }, ['cmp-01'], ['cmp-01']) }, 'cmp-01 is planned more than once'],
  ])('%j is not a window', async (more, words) => {
    const refused = failureIn(await ask('window.create', { draft: draft(PLAIN, 'Wrong', { kind: 'open' }, more) }))
    expect(refused.message).toContain(words)
  })

  it('a node that is not there, and a window at the same time, are warnings', async () => {
    const beside = await opened(draft(PLAIN, 'Beside', { kind: 'open' }))
    const { window, warnings } = valueIn(
      await ask('window.create', { draft: draft(PLAIN, 'Odd', batches({ kind: 'person' }, ['cmp-01', 'cmp-99'])) }),
    )
    expect(warnings.join('\n')).toContain('plain has no node cmp-99 now')
    expect(warnings.join('\n')).toContain(beside.window.id)
    const unplanned = failureIn(await ask('window.plan', { id: window.id, choices: {} }))
    expect(unplanned.message).toContain('plain has no node cmp-99')
    for (const id of [window.id, beside.window.id]) valueIn(await ask('window.cancel', { id, why: 'only a test' }))
  })
})

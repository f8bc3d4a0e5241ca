import type { Page } from '@playwright/test'
import type { RunDetail } from '../../../shared/contract/run.ts'
import { fakeCluster } from '../../fixtures/procedures/fake-world.ts'
import { MOVING_ID, OWNED_ID } from '../../fixtures/renderer/played-runs.ts'
import { clusterView, instanceView, nodeView } from '../../fixtures/renderer/views.ts'

/** Opens a screen over a main that has these runs, and keeps what it was asked. `more`: what it answers besides. */
export async function openRuns(
  page: Page,
  runs: readonly RunDetail[],
  hash: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await page.addInitScript(
    played => {
      const { clusters, view, runs: reported, more: besides } = JSON.parse(played)
      const asked: (readonly [string, unknown])[] = []
      const answers: Record<string, (input: { runId?: string; cluster?: string }) => unknown> = {
        'cluster.list': () => clusters,
        'run.list': () => reported.map(({ summary }: { summary: unknown }) => summary),
        'run.show': ({ runId }) => reported.find((run: { summary: { id: string } }) => run.summary.id === runId),
        'edit.list': () => [],
        'window.list': () => [],
        'view.open': ({ cluster }) => ({ view: { ...view, cluster }, seq: 1 }),
        'runner.asked': () => ({ runs: [], unread: [] }),
        'run.answer': () => ({}),
        'run.decide': () => ({}),
        'history.moves': () => ({ moves: [] }),
        'run.unpause': () => ({}),
        'instance.mark': () => ({ results: [] }),
      }
      const ask = async (name: string, input: object) => {
        asked.push([name, input])
        if (name in besides) return { ok: true, value: besides[name] }
        const answer = answers[name]
        return answer === undefined
          ? { ok: false, failure: { code: 'unreachable', message: `${name} is not answered.`, retryable: true } }
          : { ok: true, value: answer(input) }
      }
      Object.assign(globalThis, { asked, lockkeeper: { ask, listen: () => () => {} } })
    },
    JSON.stringify({
      clusters: [fakeCluster({ name: 'east' }), fakeCluster({ name: 'west' })],
      view: clusterView('east', {
        instances: [
          instanceView(OWNED_ID, { name: 'ledger-01' }),
          instanceView(MOVING_ID, { name: 'db-01', action: 'migrating' }),
        ],
        sources: [{ name: 'instances', state: { kind: 'live', lastAnswerAt: '2026-11-21T06:00:00Z' }, everyMs: null }],
        nodes: ['cmp-01', 'cmp-02', 'cmp-03'].map(name =>
          nodeView(name, { runId: runs.find(({ summary }) => summary.node === name)?.summary.id ?? null }),
        ),
      }),
      runs,
      more,
    }),
  )
  await page.goto(hash)
}

/** What main was asked under a name. */
export function asked(page: Page, name: string): Promise<unknown> {
  return page.evaluate(
    wanted =>
      (globalThis as unknown as { asked: (readonly [string, unknown])[] }).asked
        .filter(([given]) => given === wanted)
        .map(([, input]) => input),
    name,
  )
}

import type { ListedWindow, WrittenWindow } from '../../shared/contract/index.ts'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { conditionWord } from '../../shared/domain/run-condition.ts'
import type { MaintenanceWindow, WindowDraft, WindowEventBody } from '../../shared/domain/window.ts'
import { nodesOfPlan, whyNotAWindow } from '../../shared/domain/window-draft.ts'
import { windowLabel } from '../../shared/domain/window-words.ts'
import { some } from '../maintenance/answers.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'
import { createWindowBook, isOpenRun } from './window-book.ts'
import { planWindow } from './window-plan.ts'

/** How long the nodes of a cluster are waited for: that one of them is not known is a warning, not worth more. */
const NODES_WITHIN_MS = 8_000

/** Requests about maintenance windows. */
export function windowHandlers(
  services: ApiServices,
): Pick<
  Handlers,
  | 'window.list'
  | 'window.show'
  | 'window.create'
  | 'window.change'
  | 'window.note'
  | 'window.close'
  | 'window.cancel'
  | 'window.plan'
> {
  const { windows, runs, emit } = services
  const book = createWindowBook(services)
  const by = runs.driver.operator

  /** Journals, tells the listeners, and answers with the window as it is now. */
  const write = (
    window: { readonly id: string; readonly cluster: string },
    body: WindowEventBody,
    revision: number | null,
  ): Result<ListedWindow> => {
    const recorded = windows.record(window, body, revision)
    if (!recorded.ok) return recorded
    emit('window.changed', { id: window.id, cluster: window.cluster })
    return book.find(window.id)
  }

  /** As {@link write}, for a window that was not closed or cancelled yet. */
  const writeOpen = (
    id: string,
    doing: string,
    bodyOf: (found: ListedWindow) => Result<{ readonly body: WindowEventBody; readonly revision: number | null }>,
  ): Result<ListedWindow> => {
    const found = book.find(id)
    if (!found.ok) return found
    const over = whyOver(found.value.window, doing)
    if (over !== null) return failed(over)
    const body = bodyOf(found.value)
    return body.ok ? write(found.value.window, body.value.body, body.value.revision) : body
  }

  const warned = async (written: Result<ListedWindow>): Promise<Result<WrittenWindow>> =>
    written.ok ? ok({ ...written.value, warnings: await warningsOf(written.value.window, services) }) : written

  return {
    'window.list': async ({ cluster, limit }) => {
      // Thousands of runs are read in pieces, so that everybody else is answered meanwhile; the list then finds them read.
      const past = await runs.history({ cluster })
      if (!past.ok) return past
      const listed = book.list(cluster)
      return listed.ok ? ok(listed.value.slice(0, limit)) : listed
    },
    'window.show': async ({ id }) => book.find(id),
    'window.create': async ({ draft }) => {
      const refused = whyNotDrafted(draft, services)
      if (refused !== null) return failed(refused)
      const window = { id: services.newId(), cluster: draft.cluster }
      return warned(write(window, { kind: 'created', draft, by, machine: runs.driver.machine }, null))
    },
    'window.change': async ({ id, revision, draft }) =>
      warned(
        writeOpen(id, 'changed', ({ window }) => {
          const refused = whyNotDrafted(draft, services) ?? whyMoved(window, draft)
          return refused === null ? ok({ body: { kind: 'changed', draft, by }, revision }) : failed(refused)
        }),
      ),
    // Also of one that is closed: what came to light later belongs to its report too.
    'window.note': async ({ id, note, text }) => {
      const found = book.find(id)
      return found.ok ? write(found.value.window, { kind: 'noted', note, text, by }, null) : found
    },
    'window.close': async ({ id, summary }) =>
      writeOpen(id, 'closed', found => {
        const working = whyWorking(found, 'close')
        return working === null ? ok({ body: { kind: 'closed', by, summary }, revision: null }) : failed(working)
      }),
    'window.cancel': async ({ id, why }) =>
      writeOpen(id, 'cancelled', found => {
        const working = whyWorking(found, 'cancel')
        return working === null ? ok({ body: { kind: 'cancelled', by, why }, revision: null }) : failed(working)
      }),
    'window.plan': async ({ id, choices }) => {
      const found = book.find(id)
      return found.ok ? planWindow(found.value.window, choices, services) : found
    },
  }
}

function whyNotDrafted(draft: WindowDraft, { clusters }: Pick<ApiServices, 'clusters'>): Failure | null {
  const cluster = clusters.get(draft.cluster)
  if (!cluster.ok) return cluster.failure
  const why = whyNotAWindow(draft)
  return why === null ? null : failure('bad-input', why, { target: `cluster/${draft.cluster}` })
}

function whyMoved({ id, title, cluster }: MaintenanceWindow, draft: WindowDraft): Failure | null {
  if (draft.cluster === cluster) return null
  return failure(
    'bad-input',
    `Window ${windowLabel({ id, title })} is one of cluster ${cluster} and stays so. Make another window for ${draft.cluster}.`,
    { target: `window/${id}` },
  )
}

function whyOver({ id, title, closed, cancelled }: MaintenanceWindow, doing: string): Failure | null {
  const over =
    closed !== null
      ? `was closed by ${closed.by} at ${closed.at}`
      : cancelled !== null
        ? `was cancelled by ${cancelled.by} at ${cancelled.at}: ${cancelled.why}`
        : null
  if (over === null) return null
  return failure(
    'conflict',
    `Window ${windowLabel({ id, title })} ${over}, so it cannot be ${doing} any more. A note can still be added; for more work make another window.`,
    { target: `window/${id}` },
  )
}

function whyWorking({ window, runs }: ListedWindow, doing: 'close' | 'cancel'): Failure | null {
  const open = runs.filter(isOpenRun)
  if (open.length === 0) return null
  const named = open.map(
    run => `${run.id} (${run.node === '' ? run.cluster : run.node}, ${conditionWord(run.condition)})`,
  )
  return failure(
    'conflict',
    `Window ${windowLabel(window)} has runs that are not over: ${some(named)}. Let them end, resume or abort them, then ${doing} it.`,
    { target: `window/${window.id}` },
  )
}

/** What does not forbid a window: nodes the cluster does not have, another window at the same time. */
async function warningsOf(window: MaintenanceWindow, services: ApiServices): Promise<string[]> {
  const listed = createWindowBook(services).list(window.cluster)
  const beside = (listed.ok ? listed.value : []).filter(
    ({ window: other, standing }) =>
      other.id !== window.id &&
      standing !== 'closed' &&
      standing !== 'cancelled' &&
      Date.parse(other.startsAt) < Date.parse(window.endsAt) &&
      Date.parse(window.startsAt) < Date.parse(other.endsAt),
  )
  return [
    ...beside.map(
      ({ window: other }) =>
        `Window ${windowLabel(other)} is on ${window.cluster} at the same time: while both are open, a run has to say to which one it belongs.`,
    ),
    ...(Date.parse(window.endsAt) <= services.clock.now()
      ? ['Its end is past already: nothing can be started in it.']
      : []),
    ...(await nodeWarnings(window, services)),
  ]
}

async function nodeWarnings(window: MaintenanceWindow, services: ApiServices): Promise<readonly string[]> {
  const planned = nodesOfPlan(window.plan)
  if (planned.length === 0) return []
  const patience = new AbortController()
  const read = async (): Promise<readonly string[]> => {
    const connected = await services.worlds.open(window.cluster)
    if (!connected.ok) return [notLookedAt(window.cluster, connected.failure.message)]
    const nodes = await connected.value.world.kubernetes.listNodes(patience.signal)
    if (!nodes.ok) return [notLookedAt(window.cluster, nodes.failure.message)]
    const known = new Set(nodes.value.map(({ name }) => name))
    const unknown = planned.filter(name => !known.has(name))
    return unknown.length === 0
      ? []
      : [
          `${window.cluster} has no node ${some(unknown)} now: the plan cannot be started until it has, or they are taken out.`,
        ]
  }
  const late = async (): Promise<readonly string[]> => {
    await services.clock.sleep(NODES_WITHIN_MS, patience.signal).catch(() => {})
    return [notLookedAt(window.cluster, 'the cluster did not answer in time.')]
  }
  const warnings = await Promise.race([read(), late()])
  patience.abort()
  return warnings
}

function notLookedAt(cluster: string, why: string): string {
  return `Whether ${cluster} has the planned nodes was not looked at: ${why}`
}

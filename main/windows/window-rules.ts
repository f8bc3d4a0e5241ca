import type { ListedWindow } from '../../shared/contract/index.ts'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import { planSubject } from '../../shared/domain/plan.ts'
import type { MaintenanceWindow, WindowDraft } from '../../shared/domain/window.ts'
import { nodesOfPlan, whyNotAWindow } from '../../shared/domain/window-draft.ts'
import { someOf } from '../../shared/grammar/counts.ts'
import { conditionWord } from '../../shared/words/conditions.ts'
import { notAWindowWords, windowLabel } from '../../shared/words/windows.ts'
import { createWindowBook, isOpenRun } from './window-book.ts'
import type { WindowServices } from './window-services.ts'

/** How long a check waits for the nodes of a cluster: an unknown node is only a warning, not worth more. */
const NODES_WITHIN_MS = 8_000

/** Why this cannot become a window: a cluster that is not registered, times or a plan that are none. */
export function whyNotDrafted(draft: WindowDraft, { clusters }: Pick<WindowServices, 'clusters'>): Failure | null {
  const cluster = clusters.get(draft.cluster)
  if (!cluster.ok) return cluster.failure
  const why = whyNotAWindow(draft)
  return why === null ? null : failure('bad-input', notAWindowWords(why), { target: `cluster/${draft.cluster}` })
}

/** Why a window cannot be changed so: it stays with its cluster. */
export function whyMoved({ id, title, cluster }: MaintenanceWindow, draft: WindowDraft): Failure | null {
  if (draft.cluster === cluster) return null
  return failure(
    'bad-input',
    `Window ${windowLabel({ id, title })} is one of cluster ${cluster} and stays so. Make another window for ${draft.cluster}.`,
    { target: `window/${id}` },
  )
}

/** Why nothing of a window can be changed any more: it was closed or cancelled. */
export function whyOver({ id, title, closed, cancelled }: MaintenanceWindow, doing: string): Failure | null {
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

/** Why a window cannot be ended: runs of it are not over. */
export function whyWorking({ window, runs }: ListedWindow, doing: 'close' | 'cancel'): Failure | null {
  const open = runs.filter(isOpenRun)
  if (open.length === 0) return null
  const named = open.map(run => `${run.id} (${planSubject(run)}, ${conditionWord(run.condition)})`)
  return failure(
    'conflict',
    `Window ${windowLabel(window)} has runs that are not over: ${someOf(named)}. Let them end, resume or abort them, then ${doing} it.`,
    { target: `window/${window.id}` },
  )
}

/** Warnings, which do not forbid a window: nodes the cluster does not have, another window at the same time. */
export async function warningsOf(
  window: MaintenanceWindow,
  services: Pick<WindowServices, 'clock' | 'runs' | 'windows' | 'worlds'>,
): Promise<string[]> {
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

async function nodeWarnings(
  window: MaintenanceWindow,
  services: Pick<WindowServices, 'clock' | 'worlds'>,
): Promise<readonly string[]> {
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
          `${window.cluster} has no node ${someOf(unknown)} now: the plan cannot be started until it has, or they are taken out.`,
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

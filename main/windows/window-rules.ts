import type { ListedWindow } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { planSubject } from '../../shared/domain/plan.ts'
import type { MaintenanceWindow, WindowDraft } from '../../shared/domain/window.ts'
import { type NotAWindow, nodesOfPlan, whyNotAWindow } from '../../shared/domain/window-draft.ts'
import { conditionWord } from '../../shared/words/conditions.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type Finding, namesOf } from '../../shared/words/steps/coded.ts'
import { createWindowReader, isOpenRun } from './window-reader.ts'
import type { WindowServices } from './window-services.ts'

/** How long a check waits for a cluster's nodes. An unknown node only causes a note, so the wait is short. */
const NODES_WITHIN_MS = 8_000

/** Why a draft is invalid: an unregistered cluster, impossible times, or an invalid plan. */
export function whyNotDrafted(draft: WindowDraft, { clusters }: Pick<WindowServices, 'clusters'>): Failure | null {
  const cluster = clusters.get(draft.cluster)
  if (!cluster.ok) return cluster.failure
  const why = whyNotAWindow(draft)
  return why === null ? null : refusal('bad-input', notAWindow(why), { target: `cluster/${draft.cluster}` })
}

function notAWindow({ code, values }: NotAWindow): Finding {
  switch (code) {
    case 'TimeZoneUnknown':
      return because('WindowTimeZoneUnknown', values)
    case 'EndsBeforeItStarts':
      return because('WindowEndsBeforeItStarts', values)
    case 'NodePlannedTwice':
      return because('WindowPlansNodeTwice', values)
  }
}

export function whyOtherCluster({ id, title, cluster }: MaintenanceWindow, draft: WindowDraft): Failure | null {
  if (draft.cluster === cluster) return null
  const why = because('WindowKeepsCluster', { window: id, title, cluster, wanted: draft.cluster })
  return refusal('bad-input', why, { target: `window/${id}` })
}

export function whyEnded(
  { id, title, closed, cancelled }: MaintenanceWindow,
  doing: 'announce' | 'cancel' | 'change' | 'close' | 'start',
): Failure | null {
  const ended = closed !== null ? { by: closed.by, at: closed.at, why: null } : cancelled
  if (ended === null) return null
  const { by, at, why } = ended
  const over = because('WindowEnded', { window: id, title, by, at, why, doing })
  return refusal('conflict', over, { target: `window/${id}` })
}

export function whyRunOpen({ window: { id, title }, runs }: ListedWindow, doing: 'close' | 'cancel'): Failure | null {
  const open = runs.filter(isOpenRun)
  if (open.length === 0) return null
  const working = open.map(run => ({
    run: run.id,
    subject: planSubject(run),
    condition: conditionWord(run.condition),
  }))
  const why = because('WindowHasRuns', { window: id, title, runs: working, doing })
  return refusal('conflict', why, { target: `window/${id}` })
}

/** Notes that do not prevent a window: unknown nodes, another window at the same time. */
export async function warningsOf(
  window: MaintenanceWindow,
  services: Pick<WindowServices, 'clock' | 'runs' | 'windows' | 'worlds'>,
): Promise<readonly Finding[]> {
  const listed = createWindowReader(services).list(window.cluster)
  const beside = (listed.ok ? listed.value : []).filter(
    ({ window: other, status }) =>
      other.id !== window.id &&
      status !== 'closed' &&
      status !== 'cancelled' &&
      Date.parse(other.startsAt) < Date.parse(window.endsAt) &&
      Date.parse(window.startsAt) < Date.parse(other.endsAt),
  )
  return [
    ...beside.map(({ window: { id, title, cluster } }) => because('WindowsAtOnce', { window: id, title, cluster })),
    ...(Date.parse(window.endsAt) <= services.clock.now() ? [because('WindowEndIsPast')] : []),
    ...(await nodeWarnings(window, services)),
  ]
}

async function nodeWarnings(
  window: MaintenanceWindow,
  services: Pick<WindowServices, 'clock' | 'worlds'>,
): Promise<readonly Finding[]> {
  const planned = nodesOfPlan(window.plan)
  if (planned.length === 0) return []
  const patience = new AbortController()
  const read = async (): Promise<readonly Finding[]> => {
    const connected = await services.worlds.open(window.cluster)
    if (!connected.ok) return [nodesUnread(window.cluster, connected.failure.message)]
    const nodes = await connected.value.world.kubernetes.listNodes(patience.signal)
    if (!nodes.ok) return [nodesUnread(window.cluster, nodes.failure.message)]
    const known = new Set(nodes.value.map(({ name }) => name))
    const unknown = planned.filter(name => !known.has(name))
    return unknown.length === 0
      ? []
      : [because('WindowNodesMissing', { cluster: window.cluster, nodes: namesOf(unknown) })]
  }
  const late = async (): Promise<readonly Finding[]> => {
    await services.clock.sleep(NODES_WITHIN_MS, patience.signal).catch(() => {})
    return [because('WindowNodesTooSlow', { cluster: window.cluster })]
  }
  const warnings = await Promise.race([read(), late()])
  patience.abort()
  return warnings
}

function nodesUnread(cluster: string, cause: string): Finding {
  return because('WindowNodesNotRead', { cluster, cause })
}

import type { ListedWindow, RunSummary } from '../../../shared/contract/index.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { isAsAgreed, isOfForcedDown } from '../../../shared/domain/node-verdict.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import { needsSomebody } from '../../../shared/domain/run-condition.ts'
import type { WindowStatus } from '../../../shared/domain/window.ts'
import { verdictDetail, verdictNamed } from '../../../shared/words/node-verdict.ts'
import { type NamedTitle, runTitle } from '../../../shared/words/runs.ts'
import { namedWait, waitText } from '../../../shared/words/waits.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { statusAt } from '../../stores/windows.ts'
import { isOutOfService, lastOutOf } from '../clusters/out-of-service.ts'
import { sinceOf, toneOf } from '../runs/live-runs.ts'

/** One thing that needs you: what, where, since when, and where it is answered. Rail, Home, bell and palette show the same. */
export interface Need {
  readonly key: string
  readonly tone: 'waits' | 'failed' | 'rest'
  readonly title: NamedTitle
  readonly cluster: string
  /** What the title does not say; null if it says everything. */
  readonly detail: string | null
  readonly since: string | null
  readonly href: string
  readonly about: NeedAbout
}

type NeedAbout =
  | { readonly kind: 'run'; readonly run: RunSummary }
  /** `plan`: what would help; null if only looking helps. */
  | { readonly kind: 'node'; readonly node: string; readonly plan: 'enter' | 'rescue' | null }
  | { readonly kind: 'elsewhere' }

/** A run that waits for you, lost its console, or failed. */
export function needOfRun(run: RunSummary): Need | null {
  const { condition, cluster, id } = run
  if (!needsSomebody(condition) && condition.kind !== 'over') return null
  const tone = toneOf(condition)
  return {
    key: `run ${id}`,
    tone: tone === 'failed' || tone === 'waits' ? tone : 'rest',
    ...titleOf(run),
    cluster,
    since: sinceOf(run),
    href: hashOf(clusterRoute(cluster, 'history', { runId: id })),
    about: { kind: 'run', run },
  }
}

function titleOf(run: RunSummary): Pick<Need, 'title' | 'detail'> {
  const { condition, summary } = run
  if (condition.kind === 'over') {
    const detail = 'verdict' in condition.ending ? verdictDetail(condition.ending.verdict) : summary
    return { title: runTitle(run), detail }
  }
  const [wait] = condition.kind === 'waiting' ? condition.waits : []
  if (wait === undefined) return { title: runTitle(run), detail: null }
  const named = namedWait(wait)
  if (named !== null) return { title: named, detail: null }
  return { title: ['', wait.instances[0]?.name ?? planSubject(run), 'needs you'], detail: waitText(wait).what }
}

/** A window that is past its end, or did not start automatically. */
export function needOfWindow({ window, runs }: ListedWindow, status: WindowStatus): Need | null {
  const why = whyWindowNeedsYou({ window, runs }, status)
  return why === null
    ? null
    : {
        key: `window ${window.id}`,
        tone: 'waits',
        title: ['Window', window.title, why.words],
        cluster: window.cluster,
        detail: why.detail,
        since: why.since,
        href: hashOf({ kind: 'window', id: window.id }),
        about: { kind: 'elsewhere' },
      }
}

function whyWindowNeedsYou(
  { window, runs }: Pick<ListedWindow, 'window' | 'runs'>,
  status: WindowStatus,
): { readonly words: string; readonly detail: string | null; readonly since: string } | null {
  if (status === 'overrunning' || status === 'over')
    return { words: 'is past its end and still open', detail: null, since: window.endsAt }
  const state = window.start?.state
  if (status === 'closed' || status === 'cancelled' || state?.kind !== 'missed' || runs.length > 0) return null
  return { words: 'did not start automatically', detail: state.why, since: state.at }
}

/** A node that should be empty and is not, or one in service that does not answer. */
export function needOfNode(cluster: string, node: NodeView, runs: readonly RunSummary[]): Need | null {
  const { name, verdict } = node
  const about = {
    cluster,
    href: hashOf(clusterRoute(cluster, 'topology', { node: name })),
    key: `node ${cluster} ${name}`,
  }
  if (isOutOfService(cluster, node, runs)) {
    if (verdict?.kind !== 'NotEmpty' || isAsAgreed(verdict)) return null
    return {
      ...about,
      tone: 'failed',
      title: verdictNamed(name, verdict),
      detail: verdictDetail(verdict),
      since: lastOutOf(cluster, node, runs).since,
      about: { kind: 'node', node: name, plan: isOfForcedDown(verdict) ? 'rescue' : 'enter' },
    }
  }
  if (node.state !== 'unknown' || node.ready !== 'unknown') return null
  return {
    ...about,
    tone: 'failed',
    title: ['', name, 'does not answer'],
    detail: null,
    since: node.readinessSince,
    about: { kind: 'node', node: name, plan: node.roles.includes('compute') ? 'rescue' : null },
  }
}

interface Known {
  /** Running, waiting and unseen failed runs, the most urgent first. */
  readonly live: readonly RunSummary[]
  /** All runs, newest first. */
  readonly runs: readonly RunSummary[]
  readonly windows: readonly ListedWindow[]
  readonly nodes: readonly { readonly cluster: string; readonly node: NodeView }[]
  readonly nowMs: number
}

/** Everything that needs you, the most urgent first. */
export function needsOf({ live, runs, windows, nodes, nowMs }: Known): readonly Need[] {
  return [
    ...live.flatMap(run => needOfRun(run) ?? []),
    ...nodes.flatMap(({ cluster, node }) => needOfNode(cluster, node, runs) ?? []),
    ...windows.flatMap(each => needOfWindow(each, statusAt(each, nowMs)) ?? []),
  ]
}

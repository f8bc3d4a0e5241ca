import type { Report } from '../../shared/domain/report.ts'
import {
  CLUSTER_REQUEST_CREATED,
  CLUSTER_REQUEST_REMOVED,
  factText,
  LOCK_SETTLED,
  LOCK_WAITING,
  REQUEST_CREATED,
  REQUEST_REMOVED,
} from '../../shared/domain/run-facts.ts'
import { factsOf, type Material, type ReportedFact, type ReportedRun } from './material.ts'

/** What every lock said while it was waited for. */
export function buildLocks({ runs }: Pick<Material, 'runs'>): Report['locks'] {
  return runs.flatMap(run =>
    factsOf(run)
      .filter(({ fact }) => fact === LOCK_WAITING || fact === LOCK_SETTLED)
      .map(fact => ({
        at: fact.at,
        runId: run.view.id,
        node: fact.node,
        controller: factText(fact, 'controller') ?? factText(fact, 'name') ?? fact.subject,
        state: factText(fact, 'state') ?? '',
        message: factText(fact, 'message') ?? '',
      })),
  )
}

/** Every maintenance request that a run made or removed. Times are those of the announcement, written before the request was sent. */
export function buildRequests({ runs }: Pick<Material, 'runs'>): Report['requests'] {
  return runs.flatMap(run => requestsOf(run))
}

function requestsOf(run: ReportedRun): Report['requests'] {
  const requests = new Map<string, Report['requests'][number]>()
  for (const fact of factsOf(run)) {
    const kind = KINDS.get(fact.fact)
    if (kind === undefined) continue
    const name = factText(fact, 'name') ?? ''
    const key = `${kind.of}/${name}/${fact.node}`
    const known = requests.get(key) ?? { ...begin(run, fact, name), node: kind.of === 'node' ? fact.node : '' }
    requests.set(
      key,
      kind.made
        ? { ...known, scope: factText(fact, 'scope') ?? known.scope, createdAt: known.createdAt ?? fact.at }
        : { ...known, removedAt: fact.at },
    )
  }
  return [...requests.values()]
}

function begin(run: ReportedRun, fact: ReportedFact, name: string): Report['requests'][number] {
  return { runId: run.view.id, name, node: fact.node, scope: null, createdAt: null, removedAt: null }
}

const KINDS: ReadonlyMap<string, { readonly of: 'node' | 'cluster'; readonly made: boolean }> = new Map([
  [REQUEST_CREATED, { of: 'node', made: true }],
  [REQUEST_REMOVED, { of: 'node', made: false }],
  [CLUSTER_REQUEST_CREATED, { of: 'cluster', made: true }],
  [CLUSTER_REQUEST_REMOVED, { of: 'cluster', made: false }],
])

import type { EvictionProgress } from '../../shared/domain/pod-history.ts'
import type { ReportPod } from '../../shared/domain/report.ts'
import { hasEnded, historyOfRun, type Material, type ReportedRun } from './material.ts'

/** The API server accepted the eviction of a pod, and nobody saw the pod leave. */
const ACCEPTED = 'The API server accepted its eviction; nobody saw it leave.'

export interface AskedPod {
  readonly pod: ReportPod
  readonly isEvicted: boolean
}

/** Every pod that a run asked to leave a node, with the budgets that it waited for. */
export function buildPods({ runs }: Pick<Material, 'runs'>): readonly AskedPod[] {
  return runs.flatMap(run => [...historyOfRun(run).pods.values()].map(eviction => podFrom(eviction, run)))
}

function podFrom({ pod: subject, reported }: EvictionProgress, run: ReportedRun): AskedPod {
  const { node, asked, acceptedAt, leftAt, failed, refusals } = reported
  const [namespace = '', ...name] = subject.split('/')
  const pod: ReportPod = {
    namespace,
    name: name.join('/'),
    node,
    runId: run.view.id,
    how: asked?.how ?? 'evict',
    askedAt: asked?.at ?? null,
    leftAt,
    refusals: [...refusals],
    waitedMs: waited(refusals[0]?.at ?? null, acceptedAt ?? leftAt),
    ...outcomeOf(reported, run),
  }
  return { pod, isEvicted: leftAt !== null || (acceptedAt !== null && failed === null) }
}

/** 0: no budget blocked it. Null if one did, and the journal does not say how long. */
function waited(refusedAt: string | null, endAt: string | null): number | null {
  if (refusedAt === null) return 0
  return endAt === null ? null : Math.max(0, Date.parse(endAt) - Date.parse(refusedAt))
}

function outcomeOf(
  { leftAt, failed, acceptedAt, heldBy, lastRefusal }: EvictionProgress['reported'],
  run: ReportedRun,
): Pick<ReportPod, 'outcome' | 'words'> {
  if (leftAt !== null) return { outcome: 'left', words: 'Left the node.' }
  if (failed !== null) return { outcome: 'failed', words: failed.why ?? 'Could not be evicted.' }
  if (acceptedAt !== null) {
    return { outcome: 'asked', words: heldBy === null ? ACCEPTED : `${ACCEPTED} Held by ${heldBy}.` }
  }
  const why = lastRefusal ?? 'The journal has no answer.'
  return !hasEnded(run) && !run.interrupted
    ? { outcome: 'under-way', words: `It has not left yet. ${why}` }
    : { outcome: 'asked', words: why }
}

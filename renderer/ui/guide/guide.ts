import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { isWayBack, takesOut } from '../../../shared/domain/plan.ts'
import { naturally } from '../../geometry/natural-order.ts'
import type { GuideSight } from '../../stores/guide.ts'

/** The steps of the guide, in their order. */
export const GUIDE_STEPS = ['open', 'drag', 'start', 'back', 'report'] as const
export type GuideStep = (typeof GUIDE_STEPS)[number]

/** Where the guide is: the steps that are done, and the runs that did them. */
export interface GuideState {
  readonly done: ReadonlySet<GuideStep>
  /** The first step that is not done; null if all are. */
  readonly now: GuideStep | null
  /** The run that takes a node out; null before it starts. */
  readonly out: RunSummary | null
  /** The run that brings it back; null before it starts. */
  readonly back: RunSummary | null
}

/** Whether a run was started from this machine; the demo's own history names another one. */
export function hasTried(runs: readonly Pick<RunSummary, 'machine'>[], machine: string): boolean {
  return runs.some(run => run.machine === machine)
}

/** Runs after which one begins the step again. */
const STOPPED: ReadonlySet<RunSummary['state']> = new Set(['checks-failed', 'aborted', 'failed'])

/** `runs`: newest first. A later step counts for those before it: who starts a run has read its plan. */
export function guideOf(runs: readonly RunSummary[], machine: string, seen: ReadonlySet<GuideSight>): GuideState {
  const own = runs.filter(run => run.machine === machine)
  const out = own.findLast(({ kind, state }) => takesOut(kind) && !STOPPED.has(state)) ?? null
  const back =
    out === null
      ? null
      : (own.find(run => isWayBack(run.kind) && run.cluster === out.cluster && run.node === out.node) ??
        (out.kind === 'maintain' ? out : null))
  const isBack = back?.endedAt != null && back.state === 'done'
  const reached: Readonly<Record<GuideStep, boolean>> = {
    open: seen.has('open'),
    drag: seen.has('plan'),
    start: out !== null,
    back: isBack,
    report: isBack && seen.has('report'),
  }
  const last = GUIDE_STEPS.findLastIndex(step => reached[step])
  return { done: new Set(GUIDE_STEPS.slice(0, last + 1)), now: GUIDE_STEPS[last + 1] ?? null, out, back }
}

/** A node in service that ends empty without help; else one where only some instances stop with it. Null if there is none. */
export function easiestNode(nodes: Iterable<NodeView>): string | null {
  const fit = [...nodes].flatMap(({ name, state, instances }) =>
    state === 'active' && instances !== null && instances.live_migrate > 0 && instances.blocked + instances.notify === 0
      ? [{ name, stops: instances.poweroff > 0 }]
      : [],
  )
  return fit.toSorted((a, b) => Number(a.stops) - Number(b.stops) || naturally(a.name, b.name))[0]?.name ?? null
}

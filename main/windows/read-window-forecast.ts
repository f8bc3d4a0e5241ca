import type { ListedWindow } from '../../shared/contract/index.ts'
import { seconds } from '../../shared/domain/durations.ts'
import type { WindowForecast } from '../../shared/domain/estimate.ts'
import { isNodePlan, isNodeRun } from '../../shared/domain/plan.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { WindowPlan } from '../../shared/domain/window.ts'
import { nodesOfPlan } from '../../shared/domain/window-draft.ts'
import { type WindowProgress, windowForecast } from '../../shared/domain/window-forecast.ts'
import { wordedForecast } from '../../shared/words/forecasts.ts'
import { isoNow } from '../platform/clock/clock.ts'
import type { EstimatedWork, EstimateMaker } from './estimate-maker.ts'
import { createMeasurements } from './measurements.ts'
import { progressOfUpdate } from './update-progress.ts'
import { nodesNotBack, nodesThrough, progressOfNodes, type RunOfWindow } from './window-progress.ts'
import { isOpenRun } from './window-reader.ts'
import type { WindowServices } from './window-services.ts'

/** Pages poll it: the cloud is read no more often than this. */
const ESTIMATE_KEPT_MS = seconds(30)

/** The current forecast of a window: when its work ends, what does not fit, what is stuck. Only reads. */
type WindowForecastReader = (listed: ListedWindow) => Promise<Result<WindowForecast>>

export function createWindowForecastReader(
  services: Pick<WindowServices, 'runs' | 'clock'>,
  make: EstimateMaker,
): WindowForecastReader {
  const { runs, clock } = services
  const measuredOn = createMeasurements(services)
  const kept = new Map<
    string,
    { readonly atMs: number; readonly key: string; readonly made: Promise<Result<EstimatedWork>> }
  >()

  /** The estimate of a window's work, kept for a short while because several pages may poll. */
  const estimateFor = (windowId: string, cluster: string, plan: WindowPlan): Promise<Result<EstimatedWork>> => {
    const key = JSON.stringify(plan)
    const known = kept.get(windowId)
    if (known !== undefined && known.key === key && clock.now() - known.atMs < ESTIMATE_KEPT_MS) return known.made
    const made = make(cluster, plan)
    kept.set(windowId, { atMs: clock.now(), key, made })
    return made
  }

  const viewsOf = (listed: ListedWindow): readonly RunOfWindow[] =>
    // For a node taken out or brought back the summary is enough; folding reads all events.
    listed.runs
      .filter(run => !isNodeRun(run.kind) || isOpenRun(run))
      .flatMap(({ id }) => {
        const found = runs.view(id)
        return found.ok ? [found.value] : []
      })

  const progressOf = async (listed: ListedWindow, now: string): Promise<Result<WindowProgress>> => {
    const { window, status } = listed
    const ended = listed.runs.flatMap(({ endedAt }) => endedAt ?? []).toSorted()
    if (status === 'closed' || status === 'cancelled') {
      return ok({ kind: 'nothing-ahead', endedAt: ended.at(-1) ?? null })
    }
    const views = viewsOf(listed)
    const through = nodesThrough(listed, views)
    const beside = [...nodesNotBack(listed, views).keys()].filter(node => !nodesOfPlan(window.plan).includes(node))
    const going = views.find(({ summary, view }) => isOpenRun(summary) && !isNodeRun(view.plan.kind))
    const planned = await estimateFor(window.id, window.cluster, planOfCurrentRun(window.plan, going))
    if (!planned.ok) return planned
    const others = beside.length === 0 ? null : await estimateFor(`${window.id} beside`, window.cluster, planOf(beside))
    if (others !== null && !others.ok) return others
    const own = planned.value.own
    const more = others?.value.own ?? null
    const times = {
      own:
        more === null
          ? own
          : {
              ...own,
              nodes: [...own.nodes, ...more.nodes],
              missing: window.plan.kind === 'open' ? more.missing : [...own.missing, ...more.missing],
            },
      kept: window.estimate?.estimate.own ?? null,
      history: measuredOn(window.cluster),
      movesSeen: planned.value.movesSeen,
    }
    return ok(
      going === undefined
        ? progressOfNodes(listed, planned.value.parts, times, through, views, now)
        : progressOfUpdate(going, times, now),
    )
  }

  return async listed => {
    const now = isoNow(clock)
    const progress = await progressOf(listed, now)
    return progress.ok
      ? ok(wordedForecast(windowForecast(listed.window, progress.value, now), listed.window.timeZone))
      : progress
  }
}

/** The plan of the current run: a window without a plan may have a run too. Batches stay, because they are more precise than the update. */
function planOfCurrentRun(plan: WindowPlan, going: RunOfWindow | undefined): WindowPlan {
  const walked = going?.view.plan
  return plan.kind === 'batches' || walked === undefined || isNodePlan(walked)
    ? plan
    : { kind: 'update', update: walked.update }
}

function planOf(nodes: readonly string[]): WindowPlan {
  return {
    kind: 'batches',
    scope: 'os',
    batches: [{ nodes: [...nodes] }],
    work: { kind: 'person' },
    // The time of the work is unknown, and only the ways in and back are counted.
    workMinutes: 1,
    pauseBetweenBatches: false,
  }
}

import { measuredIn, phasesMeasuredIn } from '../../shared/domain/measured.ts'
import { movesMeasuredIn } from '../../shared/domain/move-durations.ts'
import type { MeasuredHistory } from '../../shared/domain/own-estimate.ts'
import type { WindowServices } from './window-services.ts'

/** How many runs of a cluster are measured, newest first: older ones say little about today's cloud. */
const RUNS_MEASURED = 60

/** Measured times of a cluster: earlier runs, and the running one so far. */
export function createMeasurements({ runs }: Pick<WindowServices, 'runs'>): (cluster: string) => MeasuredHistory {
  const kept = new Map<string, MeasuredHistory>()

  const measuredBy = (id: string): MeasuredHistory => {
    const found = runs.view(id)
    if (!found.ok) return NOTHING
    const { view, events } = found.value
    return { nodes: measuredIn(view, events), moves: movesMeasuredIn(view), phases: phasesMeasuredIn(view, events) }
  }

  return cluster => {
    const listed = runs.list({ cluster, limit: RUNS_MEASURED })
    if (!listed.ok) return NOTHING
    const measured = listed.value.map(({ id, endedAt }) => {
      // A stopped one may be resumed, and then ends at another time.
      const key = `${id} ${endedAt}`
      const known = kept.get(key) ?? measuredBy(id)
      if (endedAt !== null) kept.set(key, known)
      return known
    })
    return {
      nodes: measured.flatMap(({ nodes }) => nodes),
      moves: measured.flatMap(({ moves }) => moves),
      phases: measured.flatMap(({ phases }) => phases),
    }
  }
}

const NOTHING: MeasuredHistory = { nodes: [], moves: [], phases: [] }

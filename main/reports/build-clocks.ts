import { isNewOf } from '../../shared/domain/clock-skew.ts'
import type { Report } from '../../shared/domain/report.ts'
import type { Material } from './material.ts'

type RunClock = NonNullable<Report['clocks']>[number]

/** The servers' clocks against the console's, by run: when it began, and each time after which one had gone off by as much as is shown. */
export function buildClocks({ runs }: Pick<Material, 'runs'>): RunClock[] {
  return runs.flatMap(({ view, events }) => {
    const found = new Map<string, RunClock>()
    for (const { at, body } of events) {
      if (body.kind !== 'clocks-measured') continue
      for (const clock of body.clocks) {
        const known = found.get(clock.server) ?? { runId: view.id, server: clock.server, measured: [] }
        const last = known.measured.slice(-1).map(({ aheadMs }) => ({ server: clock.server, aheadMs }))
        if (isNewOf(last, [clock])) known.measured.push({ at, aheadMs: clock.aheadMs })
        found.set(clock.server, known)
      }
    }
    return [...found.values()]
  })
}

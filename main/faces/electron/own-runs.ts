import type { Contract } from '../../../shared/contract/index.ts'

/** The runs that this process drives, including waiting ones. */
interface OwnRuns {
  active(): readonly string[]
  stop(): void
}

/** Follows the runs that this process drives; reports each change. */
export function followOwnRuns(
  contract: Pick<Contract, 'listen'>,
  self: { readonly driverId: string },
  onChange: (active: readonly string[]) => void,
): OwnRuns {
  const driven = new Set<string>()
  const change = (isChanged: boolean) => {
    if (isChanged) onChange([...driven])
  }
  const stops = [
    contract.listen('run.event', ({ runId, body }) => {
      if (body.kind !== 'run-driven') return
      if (body.driver.id !== self.driverId || driven.has(runId)) return
      driven.add(runId)
      change(true)
    }),
    contract.listen('run.rested', ({ runId, state }) => {
      if (state !== 'waiting') change(driven.delete(runId))
    }),
  ]
  return {
    active: () => [...driven],
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}

import type { Contract, Envelope, EventPayload, RunDetail } from '../../../../shared/contract/index.ts'
import type { RunEvent } from '../../../../shared/domain/run.ts'

/** What may happen while a run is followed; handled one after the other. */
export type Happening =
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'rested'; readonly rested: EventPayload<'run.rested'> }

/**
 * The events of one run, from its first on, each once and in order. Listening begins before the run does, and what was heard
 * meanwhile is joined with what the journal tells, so that nothing is missed between the two.
 */
interface RunFeed {
  /** From now on only this run counts; answers it as it is now. */
  adopt(runId: string): Promise<Envelope<RunDetail>>
  /** The events known so far, in order. */
  readonly events: readonly RunEvent[]
  stop(): void
}

/** Starts to listen; `onHappening` is called for what happens after `adopt`. */
export function createRunFeed(contract: Contract, onHappening: (happening: Happening) => void): RunFeed {
  const events: RunEvent[] = []
  const held: Happening[] = []
  let runId: string | null = null

  const take = (happening: Happening) => {
    if (runId === null) {
      held.push(happening)
      return
    }
    if (happening.kind === 'rested') {
      if (happening.rested.runId === runId) onHappening(happening)
      return
    }
    const { event } = happening
    if (event.runId !== runId || event.seq <= (events.at(-1)?.seq ?? -1)) return
    events.push(event)
    onHappening(happening)
  }
  const stops = [
    contract.listen('run.event', event => take({ kind: 'event', event })),
    contract.listen('run.rested', rested => take({ kind: 'rested', rested })),
  ]
  return {
    events,
    adopt: async id => {
      const shown = await contract.ask('run.show', { runId: id })
      if (!shown.ok) return shown
      events.push(...shown.value.events)
      runId = id
      for (const happening of held.splice(0)) take(happening)
      return shown
    },
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}

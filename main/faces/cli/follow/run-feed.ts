import type { Contract, Envelope, EventPayload, RunDetail } from '../../../../shared/contract/index.ts'
import type { RunEvent } from '../../../../shared/domain/run.ts'

export type Happening =
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'rested'; readonly rested: EventPayload<'run.rested'> }

/** The events of one run, each once and in order. Listening starts before the run; what arrives early is joined with the journal, so that no event is lost. */
interface RunFeed {
  /** Selects the run to follow, and returns it as it is now. */
  adopt(runId: string): Promise<Envelope<RunDetail>>
  readonly events: readonly RunEvent[]
  stop(): void
}

/** Starts to listen; calls `onHappening` for what happens after `adopt`. */
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

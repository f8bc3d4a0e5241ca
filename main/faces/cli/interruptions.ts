import type { CliProcess, StopSignal } from './process-io.ts'

/** Ctrl-C and other stop signals go to the newest handler; without one, the command ends. */
export interface Interruptions {
  /** Handles signals until the returned function is called. */
  handle(onSignal: (signal: StopSignal) => void): () => void
  /** Resolves at the first signal without a handler. */
  readonly unhandled: Promise<StopSignal>
  stop(): void
}

export function createInterruptions(io: Pick<CliProcess, 'onStopSignal'>): Interruptions {
  const handlers: ((signal: StopSignal) => void)[] = []
  const { promise: unhandled, resolve } = Promise.withResolvers<StopSignal>()
  const stop = io.onStopSignal(signal => {
    const newest = handlers.at(-1)
    if (newest === undefined) resolve(signal)
    else newest(signal)
  })
  return {
    handle: onSignal => {
      handlers.push(onSignal)
      return () => {
        const at = handlers.indexOf(onSignal)
        if (at >= 0) handlers.splice(at, 1)
      }
    },
    unhandled,
    stop,
  }
}

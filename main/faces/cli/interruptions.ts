import type { CliProcess, StopSignal } from './process-io.ts'

/** Who hears Ctrl-C and its like: the newest handler; without one, the command is given up. */
export interface Interruptions {
  /** Takes the signals until the answer is called. */
  handle(onSignal: (signal: StopSignal) => void): () => void
  /** Resolves at the first signal that nobody took. */
  readonly unhandled: Promise<StopSignal>
  stop(): void
}

/** Listens to the process's stop signals for one command. */
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

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from './logger.ts'
import { createRedactor, type Redactor } from './redact.ts'

/** The part of a process that the crash handler needs. */
interface CrashSource {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (reason: unknown) => void): unknown
  off(event: 'uncaughtException' | 'unhandledRejection', listener: (reason: unknown) => void): unknown
}

interface CrashOptions {
  readonly log: Logger
  readonly write: (text: string) => void
  readonly redactor?: Redactor
  readonly source?: CrashSource
  /** Ends the process; a desktop face may show a dialog first. */
  readonly exit?: (code: number) => void
}

/** How to end the connection that the running code works for. One per process, like its crash handler. */
const connection = new AsyncLocalStorage<(fault: unknown) => void>()

/** Runs the work of one connection so that an error in it (thrown now, later in a callback, or an unhandled rejection) ends that connection and never the process, which may drive other runs. */
export function confineFaults(end: (fault: unknown) => void, work: () => unknown): void {
  connection.run(end, () => {
    try {
      const working = work()
      if (working instanceof Promise) working.catch(end)
    } catch (fault) {
      end(fault)
    }
  })
}

/** Runs work that outlives its connection, such as a run: its errors are errors of the console. */
export function outsideConnections<T>(work: () => T): T {
  return connection.exit(work)
}

/** Logs an uncaught error, prints it without secrets, and ends the process (style G36): Node itself would print the error with all its properties, maybe private keys. Returns how to remove the handler. */
export function installCrashHandler(options: CrashOptions): () => void {
  const source = options.source ?? process
  const redactor = options.redactor ?? createRedactor()
  const exit = options.exit ?? (code => process.exit(code))
  let crashing = false

  const onCrash = (reason: unknown) => {
    const endConnection = connection.getStore()
    if (endConnection !== undefined) return endConnection(reason)
    // A second crash while reporting the first must not loop.
    if (crashing) return exit(1)
    crashing = true
    try {
      options.log.error('Lockkeeper stopped because of a bug', { error: reason })
      options.write(`${crashText(reason, redactor)}\n`)
    } finally {
      exit(1)
    }
  }

  source.on('uncaughtException', onCrash)
  source.on('unhandledRejection', onCrash)
  return () => {
    source.off('uncaughtException', onCrash)
    source.off('unhandledRejection', onCrash)
  }
}

/** The text for the operator when Lockkeeper stops because of a bug: what happened, that runs can be resumed, and where it failed. */
export function crashText(reason: unknown, redactor: Redactor): string {
  const shown = redactor.value(reason)
  const trace =
    typeof shown === 'object' &&
    shown !== null &&
    'stack' in shown &&
    typeof shown.stack === 'string' &&
    shown.stack !== ''
      ? shown.stack
      : JSON.stringify(shown)
  return [
    'Lockkeeper stopped because of a bug. It does nothing more.',
    'The journal has the active runs, and you can resume them. Please report the following:',
    trace,
  ].join('\n')
}

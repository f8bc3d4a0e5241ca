import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from './logger.ts'
import { createRedactor, type Redactor } from './redact.ts'

/** What the crash handler needs of a process; `process` itself fits. */
interface CrashSource {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (reason: unknown) => void): unknown
  off(event: 'uncaughtException' | 'unhandledRejection', listener: (reason: unknown) => void): unknown
}

/** Where a crash is told, and what happens then. */
interface CrashOptions {
  readonly log: Logger
  /** Prints to the operator, such as to stderr. */
  readonly write: (text: string) => void
  readonly redactor?: Redactor
  readonly source?: CrashSource
  /** What ends the process; a desktop face may show a dialog first. */
  readonly exit?: (code: number) => void
}

/** Of the code that runs just now: what ends the one connection it works for. One for the process, as its crash handler is. */
const connection = new AsyncLocalStorage<(fault: unknown) => void>()

/**
 * Does what one connection asked for, in such a way that a fault of it (thrown now, thrown later in a callback, or a promise that nobody
 * caught) ends that connection and never the process: others may drive runs in it.
 */
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

/** Does work that outlives the connection which asked for it, such as a run: its faults are the console's own. */
export function outsideConnections<T>(work: () => T): T {
  return connection.exit(work)
}

/**
 * A bug that reaches the top is logged, told in plain words without secrets, and ends the process (style G36): Node's own last words
 * print an error with all its properties, among them private keys. Returns how to take the handler away again.
 */
export function installCrashHandler(options: CrashOptions): () => void {
  const source = options.source ?? process
  const redactor = options.redactor ?? createRedactor()
  const exit = options.exit ?? (code => process.exit(code))
  let crashing = false

  const onCrash = (reason: unknown) => {
    const endConnection = connection.getStore()
    if (endConnection !== undefined) return endConnection(reason)
    // A second crash while telling of the first must not loop.
    if (crashing) return exit(1)
    crashing = true
    try {
      options.log.error('Lockkeeper stopped because of a fault of its own', { error: reason })
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

/** What an operator reads when Lockkeeper stops because of a bug: what happened, that runs can be resumed, and where it broke. */
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
    'Lockkeeper stopped because of a fault of its own. Nothing more is being done.',
    'A run that was active is kept in the journal and can be resumed. Please report what follows:',
    trace,
  ].join('\n')
}

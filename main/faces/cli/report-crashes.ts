import { writeSync } from 'node:fs'
import { installCrashHandler } from '../../platform/log/crash.ts'
import { type Logger, silentLogger } from '../../platform/log/logger.ts'
import { createRedactor, type Redactor } from '../../platform/log/redact.ts'

/** Tells what crashes this process, from its first line on. */
export interface CrashReporter {
  /** From now on a crash is logged here, and freed of the secrets known here. */
  know(app: { readonly log: Logger; readonly redactor: Redactor }): void
}

/** Watches this process for faults that reach the top: Node's own last words would print the error with the keys that it carries. */
export function reportCrashes(): CrashReporter {
  const watch = (log: Logger, redactor: Redactor) => installCrashHandler({ log, redactor, write: writeToStandardError })
  let forget = watch(silentLogger, createRedactor())
  return {
    know: ({ log, redactor }) => {
      const before = forget
      forget = watch(log, redactor)
      before()
    },
  }
}

/** At once, because the process ends right after it; a terminal that went away is no reason to crash again. */
function writeToStandardError(text: string): void {
  try {
    writeSync(2, text)
  } catch {
    // It is in the log.
  }
}

import { writeSync } from 'node:fs'
import { installCrashHandler } from '../../platform/log/crash.ts'
import { type Logger, silentLogger } from '../../platform/log/logger.ts'
import { createRedactor, type Redactor } from '../../platform/log/redact.ts'

/** Reports crashes of this process, from its first line on. */
export interface CrashReporter {
  /** From now on crashes also go to this log, without the secrets that this redactor knows. */
  know(app: { readonly log: Logger; readonly redactor: Redactor }): void
}

/** Reports uncaught errors of this process: Node itself would print the error with the keys that it contains. */
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

/** Synchronous, because the process ends right after it; a closed terminal must not cause another crash. */
function writeToStandardError(text: string): void {
  try {
    writeSync(2, text)
  } catch {
    // The log has it.
  }
}

import { z } from 'zod'
import { DEFAULT_PREFERENCES, Preferences } from '../../../shared/contract/console.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { openStoredList } from '../files/stored-list.ts'
import type { Logger } from '../log/logger.ts'

export interface PreferencesStore {
  /** The defaults if nothing was chosen or the file cannot be read, which the log and the next change report. */
  show(): Preferences
  change(change: { readonly [K in keyof Preferences]?: Preferences[K] | undefined }): Result<Preferences>
}

/** Stores only what the operator chose in `preferences.json`, so that later defaults still apply to the rest. */
export function openPreferences(options: { readonly directory: string; readonly log: Logger }): PreferencesStore {
  const chosen = openStoredList(options.directory, {
    fileName: 'preferences.json',
    listName: 'preferences',
    format: 1,
    // Not strict: earlier versions wrote `density` too.
    item: z.object(Preferences.shape).partial(),
    keyOf: () => 'preferences',
  })
  return {
    show: () => {
      const read = chosen.read()
      if (read.ok) return complete(read.value)
      options.log.warn('preferences not read', { message: read.failure.message })
      return DEFAULT_PREFERENCES
    },
    change: change =>
      chosen.change(before => {
        const after = [Object.assign({}, ...before, said(change))]
        return ok({ items: after, report: complete(after) })
      }),
  }
}

function complete(chosen: readonly object[]): Preferences {
  return Object.assign({}, DEFAULT_PREFERENCES, ...chosen)
}

function said(change: object): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { fileFault } from '../files/file-words.ts'
import { readPrivateFile, writePrivateFile } from '../files/private-file.ts'

/** The secret that lets a calendar read the windows from the served console, and nothing else. */
export interface CalendarFeed {
  /** Null if there is none, and calendars get no answer. Read again each time, so that a new secret takes effect in every process. */
  secret(): Result<string | null>
  renew(): Result<string>
  stop(): Result<void>
}

export function openCalendarFeed(directory: string): CalendarFeed {
  const path = join(directory, 'calendar-feed')
  return {
    secret: () => {
      const read = readPrivateFile(path)
      if (!read.ok || read.value === null) return read
      const mode = modeOf(path)
      if (!mode.ok) return mode
      if (process.platform !== 'win32' && (mode.value & 0o077) !== 0) {
        return failed(refusal('damaged', because('FeedSecretExposed', { path }), { target: path }))
      }
      const secret = read.value.trim()
      return ok(secret === '' ? null : secret)
    },
    renew: () => {
      const secret = randomBytes(32).toString('base64url')
      const written = writePrivateFile(path, `${secret}\n`, 'unlocked')
      return written.ok ? ok(secret) : written
    },
    // Emptied instead of removed: if removal failed, calendars could still read.
    stop: () => writePrivateFile(path, '', 'unlocked'),
  }
}

function modeOf(path: string): Result<number> {
  try {
    return ok(statSync(path).mode)
  } catch (error) {
    return failed(refusal('bad-input', because('FileNotLookedAt', { path, fault: fileFault(error) }), { target: path }))
  }
}

/** Whether the given secret is right; compares digests in constant time. */
export function opensFeed(given: string, secret: string | null): boolean {
  return secret !== null && timingSafeEqual(digestOf(given), digestOf(secret))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Says on a lock what its controller does. */
export interface LockMessage {
  /** The newest text only is written, one write at a time; a text that stands there already is not written again. */
  say(what: { readonly message: string }): void
  /** Resolves when nothing that was said can be written any more. */
  silence(): Promise<void>
}

export function createLockMessage(options: {
  /** What stands on the lock now; null when there is no lock. */
  readonly status: () => string | null
  /** False: it was not written. */
  readonly write: (message: string) => Promise<boolean>
  readonly now: () => number
  readonly onSaid: (text: string) => void
}): LockMessage {
  let wanted: string | null = null
  let writing = false
  let settled: Promise<void> = Promise.resolve()
  let written: string | null = null
  let silent = false

  async function writeAll(): Promise<void> {
    writing = true
    while (wanted !== null && !silent) {
      const text = wanted
      wanted = null
      const status = options.status()
      // The watch may lag behind our own last write.
      if (status === null || text === (written ?? withoutStamp(status))) continue
      written = (await options.write(stamped(text, options.now()))) ? text : null
    }
    writing = false
  }
  return {
    say: ({ message: text }) => {
      if (silent) return
      options.onSaid(text)
      wanted = text
      if (!writing) settled = writeAll()
    },
    silence: async () => {
      silent = true
      wanted = null
      await settled
    },
  }
}

/** The message of a lock is `<UTC time> <text>` (docs/domain.md A.2): who reads it sees how old it is. */
export function stamped(text: string, nowMs: number): string {
  return text === '' ? '' : `${new Date(nowMs).toISOString()} ${text}`
}

/** The text of a message without its time: a lock is written again only when this changes. */
export function withoutStamp(message: string): string {
  return message.replace(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?\s+/, '')
}

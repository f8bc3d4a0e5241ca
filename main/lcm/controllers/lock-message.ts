export interface LockMessage {
  /** Writes only the newest text, one at a time; skips an unchanged text. */
  say(what: { readonly message: string }): void
  silence(): Promise<void>
}

export function createLockMessage(options: {
  readonly status: () => string | null
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
      // The watch may lag behind our last write.
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

/** A lock's message is `<UTC time> <text>` (docs/domain.md A.2), so readers see its age. */
export function stamped(text: string, nowMs: number): string {
  return text === '' ? '' : `${new Date(nowMs).toISOString()} ${text}`
}

/** A message without its time: the lock is written again only if this changes. */
export function withoutStamp(message: string): string {
  return message.replace(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?\s+/, '')
}

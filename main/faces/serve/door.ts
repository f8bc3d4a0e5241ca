import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Admits a tab by the last printed token, once and for a short time, and later by the key that it got for it. */
export interface TabAccess {
  /** A new token for a printed address; invalidates the earlier one. */
  mint(): string
  /** Exchanges the token for the key of one tab; null if it is wrong, used or too old. */
  enter(token: string): string | null
  /** Whether a key is valid; using it keeps it from expiring. */
  knows(key: string | null): boolean
}

/** Maximum number of open tabs. */
const MOST_KEYS = 64
/** A printed address expires after this. */
const TOKEN_MS = 10 * 60_000
/** A key without use or connection expires after this. */
const IDLE_MS = 60 * 60_000
/** Every tab needs a new address after a day. */
const LONGEST_MS = 24 * 60 * 60_000

interface Key {
  readonly digest: Buffer
  readonly since: number
  readonly usedAt: number
}

/** Tokens and keys end with the console. `now` never jumps. */
export function createTabAccess(now: () => number): TabAccess {
  let token: { readonly digest: Buffer; readonly since: number } | null = null
  let keys: readonly Key[] = []
  const good = () => keys.filter(({ since, usedAt }) => now() - since < LONGEST_MS && now() - usedAt < IDLE_MS)
  return {
    mint: () => {
      const secret = newSecret()
      token = { digest: digestOf(secret), since: now() }
      return secret
    },
    enter: given => {
      if (token === null || now() - token.since > TOKEN_MS || !timingSafeEqual(digestOf(given), token.digest))
        return null
      token = null
      const secret = newSecret()
      keys = [...good(), { digest: digestOf(secret), since: now(), usedAt: now() }].slice(-MOST_KEYS)
      return secret
    },
    knows: given => {
      if (given === null) return false
      const digest = digestOf(given)
      keys = good()
      const known = keys.find(key => timingSafeEqual(digest, key.digest))
      if (known !== undefined) keys = keys.map(key => (key === known ? { ...key, usedAt: now() } : key))
      return known !== undefined
    },
  }
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Digests have equal lengths, and no secret stays in memory. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

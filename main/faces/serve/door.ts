import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Lets a tab in by the token that was printed last, once and soon, and afterwards by the key that it was changed into. */
export interface Door {
  /** A fresh token for a printed address; the one before is no longer good. */
  mint(): string
  /** Changes the token into the key of one tab; null for a wrong, a used or an old one. */
  enter(token: string): string | null
  /** Whether a key was given out here and is still good; a good one counts as used now. */
  knows(key: string | null): boolean
}

/** As many tabs may be open at once: more than an operator has. */
const MOST_KEYS = 64
/** A printed address that nobody opened. */
const TOKEN_MS = 10 * 60_000
/** A tab that is closed, or whose connection is gone, comes back within this or not at all. */
const IDLE_MS = 60 * 60_000
/** However busy it is, a tab is let in anew once a day. */
const LONGEST_MS = 24 * 60 * 60_000

interface Key {
  readonly digest: Buffer
  readonly since: number
  readonly usedAt: number
}

/** The door of one console; its tokens and keys end with it. `now` never jumps. */
export function createDoor(now: () => number): Door {
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

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Compared by digest: equal lengths, and no secret is kept. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who may come in: whoever brings the token that was printed last, once, and afterwards whoever brings the cookie it was changed into. */
export interface Door {
  /** A fresh token for a printed address; the one before is no longer good. */
  mint(): string
  /** Changes the token into a cookie's value; null for a wrong or a used one. */
  enter(token: string): string | null
  /** Whether a Cookie header carries a value that was given out here. */
  knows(cookieHeader: string | undefined): boolean
  readonly cookieName: string
}

/** Cookies that are good at once: more browsers than an operator has. */
const MOST_COOKIES = 32

/** The door of one console; its cookie carries the port in its name, so that two consoles of one host do not put each other out. */
export function createDoor(port: number): Door {
  const cookieName = `lockkeeper-${port}`
  let token: Buffer | null = null
  let cookies: readonly Buffer[] = []
  return {
    cookieName,
    mint: () => {
      const secret = newSecret()
      token = digestOf(secret)
      return secret
    },
    enter: given => {
      if (token === null || !timingSafeEqual(digestOf(given), token)) return null
      token = null
      const secret = newSecret()
      cookies = [...cookies, digestOf(secret)].slice(-MOST_COOKIES)
      return secret
    },
    knows: header => {
      const given = (header ?? '')
        .split(';')
        .map(part => part.trim().split('='))
        .filter(([name]) => name === cookieName)
        .map(([, value]) => digestOf(value ?? ''))
      return given.some(digest => cookies.some(cookie => timingSafeEqual(digest, cookie)))
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

import type { Proof } from './credentials.ts'

/** What the requests of a session proved themselves with, to be taken out of whatever a server says in return (style G11, G39). */
export interface KnownSecrets {
  remember(proof: Proof): void
  /** A server's text without them; JSON stays JSON. */
  removeFrom(text: string): string
}

/** Shorter ones would blank out ordinary words. */
const SHORTEST = 4

/** Knows none yet; each new one is also told to `register`. */
export function createKnownSecrets(register: (secret: string) => void): KnownSecrets {
  const secrets = new Set<string>()
  const spellings = new Set<string>()
  let last: Proof | null = null
  return {
    remember: proof => {
      // The same proof serves many requests.
      if (proof === last) return
      last = proof
      for (const secret of secretsOf(proof)) {
        if (secret.length < SHORTEST || secrets.has(secret)) continue
        secrets.add(secret)
        register(secret)
        const base64 = Buffer.from(secret).toString('base64')
        for (const spelling of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64]) {
          spellings.add(spelling)
        }
      }
    },
    removeFrom: text =>
      [...spellings]
        .sort((a, b) => b.length - a.length)
        .reduce((clean, spelling) => clean.replaceAll(spelling, '[removed]'), text),
  }
}

function secretsOf({ headers, certificate }: Proof): readonly string[] {
  const header = headers.Authorization
  const credentials = typeof header === 'string' ? header.replace(/^\w+ /, '') : ''
  const password = /^Basic /.test(String(header))
    ? Buffer.from(credentials, 'base64').toString().replace(/^.*?:/, '')
    : ''
  return [credentials, password, certificate?.key ?? '']
}

/**
 * The secrets of one session, kept so that text from outside (an answer, a network error, a proxy's page) can be freed of them
 * before it gets into a failure or a log line (style G11, G39).
 */
interface SecretScrubber {
  add(secret: string): void
  scrub(text: string): string
}

/** Anything that looks like a Fernet or JWS token, ours or not. */
const TOKEN_SHAPES = /\bgAAAA[\w-]{16,}={0,2}|\beyJ[\w-]+\.[\w-]+\.[\w-]+/g

/** Shorter ones would blank out ordinary words. */
const SHORTEST = 4

/** Makes a scrubber that knows no secret yet. */
export function createSecretScrubber(): SecretScrubber {
  const secrets = new Set<string>()
  return {
    add: secret => {
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
        if (form.length >= SHORTEST) secrets.add(form)
      }
    },
    scrub: text => {
      const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
      return longestFirst
        .reduce((clean, secret) => clean.replaceAll(secret, '[hidden]'), text)
        .replace(TOKEN_SHAPES, '[hidden]')
    },
  }
}

import { z } from 'zod'
import type { Clock } from '../../clock/clock.ts'
import type { KeystoneToken } from './keystone-token.ts'
import { parseJson } from './server-words.ts'

/**
 * Where a token outlives the process, so that a quick call does not wait for Keystone to check a password again (docs/decisions/0007).
 * What it holds is secret: the keeper writes it where only this user reads.
 */
export interface TokenKeeper {
  load(): string | null
  save(text: string): void
}

const KeptToken = z.strictObject({
  value: z.string().min(1),
  renewAtMs: z.number(),
  endsAtMs: z.number(),
  catalogue: z.array(
    z.strictObject({
      type: z.string(),
      endpoints: z.array(z.strictObject({ interface: z.string(), region: z.string().nullable(), url: z.string() })),
    }),
  ),
  userName: z.string(),
  projectName: z.string().nullable(),
  projectId: z.string().nullable(),
  roles: z.array(z.string()),
})

/** The kept token while it is good; null when there is none, it is near its end, or what was kept cannot be read. */
export function loadToken(keeper: TokenKeeper | undefined, clock: Clock): KeystoneToken | null {
  const text = keeper?.load() ?? null
  const kept = text === null ? null : KeptToken.safeParse(parseJson(text))
  return kept?.success && clock.now() < kept.data.renewAtMs ? kept.data : null
}

/** Keeps a token that has an end; one without is not left lying around. */
export function saveToken(keeper: TokenKeeper | undefined, token: KeystoneToken): void {
  if (Number.isFinite(token.endsAtMs)) keeper?.save(JSON.stringify(token))
}

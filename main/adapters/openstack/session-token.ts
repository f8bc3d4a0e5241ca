import { ok, type Result } from '../../../shared/domain/result.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { Redactor } from '../../platform/log/redact.ts'
import { createSingleFlight } from '../http/single-flight.ts'
import { issueToken, type KeystoneToken, loadToken, saveToken, type TokenKeeper } from './keystone-token.ts'
import { USUAL_LIMIT_MS } from './openstack-session.ts'
import type { ResolvedCloud } from './resolved-cloud.ts'
import type { SessionWire } from './session-wire.ts'

/** The token of a session. Holds a secret: never log, print or pass it on. */
export interface SessionToken {
  latest: KeystoneToken
  /** Asks Keystone for a new one, once for concurrent callers. */
  readonly renew: () => Promise<Result<KeystoneToken>>
}

interface TokenParts {
  readonly cloud: ResolvedCloud
  readonly root: string
  readonly clock: Clock
  readonly log: Logger
  readonly redactor: Redactor
  readonly wire: SessionWire
  readonly keeper?: TokenKeeper | undefined
}

/** The kept token, or a new one; a failure if Keystone issues none. */
export async function openSessionToken(parts: TokenParts): Promise<Result<SessionToken>> {
  const kept = loadToken(parts.keeper, parts.clock)
  if (kept !== null) parts.redactor.registerSecret(kept.value)
  const first = kept === null ? await issueAndKeep(parts) : ok(kept)
  if (!first.ok) return first
  const token: SessionToken = {
    latest: first.value,
    renew: createSingleFlight(async () => {
      const issued = await issueAndKeep(parts)
      if (issued.ok) token.latest = issued.value
      return issued
    }),
  }
  return ok(token)
}

/** A valid token; `refused` is one that a service rejected, which is renewed unless that has happened. */
export async function validToken(
  token: SessionToken,
  refused: KeystoneToken | null,
  clock: Clock,
): Promise<Result<KeystoneToken>> {
  if (token.latest !== refused && clock.now() < token.latest.renewAtMs) return ok(token.latest)
  const renewed = await token.renew()
  // Keystone may be down during maintenance; a valid token keeps the work going.
  const isStillGood = refused === null && clock.now() < token.latest.endsAtMs
  return !renewed.ok && renewed.failure.retryable && isStillGood ? ok(token.latest) : renewed
}

async function issueAndKeep({
  cloud,
  root,
  clock,
  log,
  redactor,
  wire,
  keeper,
}: TokenParts): Promise<Result<KeystoneToken>> {
  const issued = await issueToken(cloud, root, {
    clock,
    scrub: redactor.text,
    // Requesting a token changes nothing, so it may be repeated like a read.
    send: ({ path, ...request }) =>
      wire.send('identity', { ...request, url: new URL(`${root}${path}`), isRead: true, timeoutMs: USUAL_LIMIT_MS }),
  })
  if (!issued.ok) return issued
  redactor.registerSecret(issued.value.value)
  saveToken(keeper, issued.value)
  log.info('logged in', { cloud: cloud.name, user: issued.value.userName, project: issued.value.projectName })
  return issued
}

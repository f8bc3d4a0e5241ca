import { z } from 'zod'
import type { Json } from '../../../shared/domain/json.ts'
import { serverJsonOf } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { Login } from '../../../shared/words/reasons/openstack-policy.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { HttpHeaders, HttpOutcome } from '../http/exchange.ts'
import { scrubbed } from '../http/scrubbed.ts'
import type { CatalogueEntry } from './catalogue.ts'
import { failureOf, fieldsNotKnown, quotedAnswer } from './errors.ts'
import type { CloudCredentials, DomainReference, NamedInDomain, ResolvedCloud, TokenScope } from './resolved-cloud.ts'
import { isOwnRefusal, serverWords } from './server-words.ts'

/** A token and Keystone's data with it. Holds a secret: never log, print or pass it on. */
export interface KeystoneToken {
  readonly value: string
  /** From this time on, by this machine's clock, it is renewed before use. */
  readonly renewAtMs: number
  readonly endsAtMs: number
  readonly catalogue: readonly CatalogueEntry[]
  readonly userName: string
  readonly projectName: string | null
  readonly projectId: string | null
  readonly roles: readonly string[]
}

const Moment = z.string().refine(text => !Number.isNaN(Date.parse(text)), 'not a time')

const TokenDocument = z.object({
  token: z.object({
    issued_at: Moment,
    expires_at: Moment,
    user: z.object({ id: z.string().min(1), name: z.string().min(1) }),
    // Both are absent from an unscoped token.
    project: z.object({ id: z.string().min(1), name: z.string().min(1) }).optional(),
    roles: z.array(z.object({ name: z.string() })).optional(),
    catalog: z
      .array(
        z.object({
          type: z.string().min(1),
          endpoints: z.array(
            z.object({
              interface: z.string(),
              region: z.string().nullish(),
              region_id: z.string().nullish(),
              url: z.string(),
            }),
          ),
        }),
      )
      .optional(),
  }),
})

/** A request below Keystone's v3 root; the session sends it, so that it is counted, logged and retried like others. */
type SendToKeystone = (request: {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: HttpHeaders
  readonly body: Json | null
}) => Promise<HttpOutcome>

/** Tokens are renewed this long before they expire, so that no request runs into the expiry; at most a fifth of their lifetime. */
const RENEW_BEFORE_MS = 120_000

/** The root of Keystone's v3 API, whether clouds.yaml says /v3, nothing, or the old /v2.0. */
export function keystoneRoot(authUrl: string, cloud: string): Result<string> {
  if (!URL.canParse(authUrl) || !/^https?:$/.test(new URL(authUrl).protocol)) {
    return failed(refusal('bad-input', because('AuthUrlNotAnAddress', { cloud })))
  }
  const url = new URL(authUrl)
  return ok(`${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v(3|2\.0)$/, '')}/v3`)
}

/** Gets a token for the credentials of a cloud (Keystone API v3, POST /auth/tokens). */
export async function issueToken(
  cloud: Pick<ResolvedCloud, 'name' | 'auth'>,
  root: string,
  more: { readonly send: SendToKeystone; readonly clock: Clock; readonly scrub: (text: string) => string },
): Promise<Result<KeystoneToken>> {
  const own = cloud.auth.kind === 'token' && cloud.auth.scope.kind === 'unscoped' ? cloud.auth.token : null
  // A given token only needs to be validated.
  const outcome =
    own === null
      ? await more.send({ method: 'POST', path: '/auth/tokens', headers: {}, body: authDocument(cloud.auth) })
      : await more.send({
          method: 'GET',
          path: '/auth/tokens',
          headers: { 'x-auth-token': own, 'x-subject-token': own },
          body: null,
        })
  const purpose = {
    call: call('LogIn', { cloud: cloud.name }),
    service: 'identity' as const,
    address: root,
    who: loginOf(cloud.auth),
    projectName: null,
    changes: false,
    target: `cloud/${cloud.name}`,
  }
  if (outcome.kind !== 'answer') return failed(failureOf(outcome, purpose, more.scrub, more.clock.now()))
  const none = (otherwise: Finding) => {
    const why = scrubbed(otherwise, more.scrub)
    const came = quotedAnswer(outcome, more.scrub)
    return failed(
      refusal('unreadable', because('NotKeystone', { call: purpose.call, address: root, came, why }), {
        target: purpose.target,
        detail: why.message,
      }),
    )
  }
  const isKeystones = isOwnRefusal('identity', outcome.status, outcome.body)
  if (isKeystones && (outcome.status === 401 || (outcome.status === 404 && own !== null))) {
    return failed(
      refusal(
        'unauthenticated',
        because('KeystoneRefusesLogin', { address: root, who: purpose.who, cloud: cloud.name }),
        {
          target: purpose.target,
          detail: more.scrub(`HTTP ${outcome.status}: ${serverWords(outcome.body) ?? 'no reason given'}`),
        },
      ),
    )
  }
  if (outcome.status === 404 || outcome.status === 401) return none(because('NotARefusalOfKeystone'))
  if (outcome.status < 200 || outcome.status > 299)
    return failed(failureOf(outcome, purpose, more.scrub, more.clock.now()))
  if (outcome.status !== (own === null ? 201 : 200)) return none(because('NotHowATokenIsGiven'))
  const document = TokenDocument.safeParse(serverJsonOf(outcome.body))
  const value = own ?? outcome.headers['x-subject-token'] ?? ''
  if (!document.success) return none(fieldsNotKnown(document.error))
  if (value === '') return none(because('NoSubjectToken'))
  const wrong = otherThanRequested(cloud.auth, document.data.token)
  if (wrong !== null) return none(wrong)
  const { token } = document.data
  return ok({
    value,
    ...renewalTime(token.issued_at, token.expires_at, more.clock.now()),
    catalogue: (token.catalog ?? []).map(entry => ({
      type: entry.type,
      endpoints: entry.endpoints.map(each => ({
        interface: each.interface,
        region: each.region_id ?? each.region ?? null,
        url: each.url,
      })),
    })),
    userName: token.user.name,
    projectName: token.project?.name ?? null,
    projectId: token.project?.id ?? null,
    roles: (token.roles ?? []).map(role => role.name),
  })
}

function otherThanRequested(auth: CloudCredentials, token: z.infer<typeof TokenDocument>['token']): Finding | null {
  if (Date.parse(token.expires_at) <= Date.parse(token.issued_at)) return because('TokenEndsBeforeItBegins')
  if (auth.kind === 'token' && auth.scope.kind === 'unscoped') return null
  if (auth.kind !== 'application-credential' && auth.scope.kind === 'unscoped') return null
  // A scoped token must have roles and a catalogue.
  if (token.roles === undefined || token.catalog === undefined) return because('TokenWithoutRoles')
  if (auth.kind === 'application-credential') return token.project === undefined ? because('TokenWithoutProject') : null
  if (auth.scope.kind !== 'project') return null
  const { id, name } = auth.scope.project
  if (token.project === undefined) return because('TokenWithoutProject')
  // Keystone compares names without case if its database does.
  const isAsked = id === undefined ? token.project.name.toLowerCase() === name?.toLowerCase() : token.project.id === id
  return isAsked ? null : because('TokenOfOtherProject')
}

/** Computed from the token's lifetime, because the cloud's clock may differ from ours. */
function renewalTime(issuedAt: string, expiresAt: string, now: number): Pick<KeystoneToken, 'renewAtMs' | 'endsAtMs'> {
  const life = Date.parse(expiresAt) - Date.parse(issuedAt)
  return { renewAtMs: now + life - Math.min(RENEW_BEFORE_MS, life / 5), endsAtMs: now + life }
}

function loginOf(auth: CloudCredentials): Login {
  switch (auth.kind) {
    case 'password': {
      const { user, scope } = auth
      return {
        kind: 'user',
        user: user.name ?? user.id ?? null,
        ...(scope.kind === 'project' ? { project: scope.project.name ?? scope.project.id ?? null } : {}),
      }
    }
    case 'application-credential':
      return { kind: 'application-credential', credential: 'id' in auth ? auth.id : auth.name }
    case 'token':
      return { kind: 'token' }
  }
}

export function secretsOf(auth: CloudCredentials): readonly string[] {
  return [auth.kind === 'password' ? auth.password : auth.kind === 'token' ? auth.token : auth.secret]
}

function authDocument(auth: CloudCredentials): Json {
  switch (auth.kind) {
    case 'password':
      return {
        auth: {
          identity: { methods: ['password'], password: { user: { ...named(auth.user), password: auth.password } } },
          ...scoped(auth.scope),
        },
      }
    case 'application-credential':
      return {
        auth: {
          identity: {
            methods: ['application_credential'],
            application_credential:
              'id' in auth
                ? { id: auth.id, secret: auth.secret }
                : { name: auth.name, user: named(auth.user), secret: auth.secret },
          },
        },
      }
    case 'token':
      return { auth: { identity: { methods: ['token'], token: { id: auth.token } }, ...scoped(auth.scope) } }
  }
}

function scoped(scope: TokenScope): { readonly [key: string]: Json } {
  switch (scope.kind) {
    case 'project':
      return { scope: { project: named(scope.project) } }
    case 'domain':
      return { scope: { domain: domain(scope.domain) } }
    case 'system':
      return { scope: { system: { all: true } } }
    case 'trust':
      return { scope: { 'OS-TRUST:trust': { id: scope.id } } }
    case 'unscoped':
      return {}
  }
}

function named(reference: NamedInDomain): { readonly [key: string]: Json } {
  if (reference.id !== undefined) return { id: reference.id }
  return {
    name: reference.name ?? '',
    domain: domain({
      ...(reference.domainId === undefined ? {} : { id: reference.domainId }),
      ...(reference.domainName === undefined ? {} : { name: reference.domainName }),
    }),
  }
}

/** The domain, by default Keystone's own, as in its clients. */
function domain(reference: DomainReference): { readonly [key: string]: Json } {
  if (reference.id !== undefined) return { id: reference.id }
  return reference.name === undefined ? { id: 'default' } : { name: reference.name }
}

/** Keeps a token across processes, so that a short command need not wait for a password check (docs/decisions/0007), in a place that only this user can read. */
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

/** The kept token while it is valid; null if missing, about to expire, or unreadable. */
export function loadToken(keeper: TokenKeeper | undefined, clock: Clock): KeystoneToken | null {
  const text = keeper?.load() ?? null
  const kept = text === null ? null : KeptToken.safeParse(serverJsonOf(text))
  return kept?.success && clock.now() < kept.data.renewAtMs ? kept.data : null
}

/** Keeps a token with an expiry; one without is not stored. */
export function saveToken(keeper: TokenKeeper | undefined, token: KeystoneToken): void {
  if (Number.isFinite(token.endsAtMs)) keeper?.save(JSON.stringify(token))
}

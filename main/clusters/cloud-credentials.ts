import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type {
  CloudCredentials,
  DomainReference,
  NamedInDomain,
  TokenScope,
} from '../adapters/openstack/resolved-cloud.ts'
import type { CloudSettings } from './cloud-settings.ts'
import { isSettings, type Settings } from './clouds-files.ts'

interface ReadCredentials {
  readonly authUrl: string
  readonly credentials: CloudCredentials
}

const PASSWORD = ['password', 'v3password']
const APPLICATION_CREDENTIAL = ['v3applicationcredential', 'applicationcredential']
const TOKEN = ['token', 'v3token']

/** Reads the credentials of a cloud; a failure names the missing key with file and cloud. */
export function readCredentials(cloud: CloudSettings, name: string): Result<ReadCredentials> {
  const { cloudsFile, secureFile, settings } = cloud
  const option = (...keys: readonly string[]) => findOption(settings, keys)
  const lacks = (keys: readonly string[], code: 'CloudLacks' | 'CloudLacksUserOfCredential' = 'CloudLacks') => {
    const key = keys.find(each => isNoText(settings, each))
    const why =
      key === undefined
        ? because(code, { cloud: name, file: cloudsFile, keys, secureFile })
        : because('CloudValueNotText', { cloud: name, file: cloudsFile, key, secureFile })
    return failed(refusal('bad-input', why, { target: cloudsFile }))
  }

  const unusable = ({ unusable: fault }: UnusableScope) =>
    failed(
      refusal('bad-input', because('CloudScopeUnusable', { cloud: name, file: cloudsFile, fault }), {
        target: cloudsFile,
      }),
    )

  const authUrl = option('auth_url')
  if (authUrl === null) return lacks(['auth_url'])
  const type = option('auth_type')?.toLowerCase() ?? impliedType(option)
  if (APPLICATION_CREDENTIAL.includes(type)) {
    const secret = option('application_credential_secret')
    const id = option('application_credential_id')
    const called = option('application_credential_name')
    if (secret === null) return lacks(['application_credential_secret'])
    if (id !== null) return ok({ authUrl, credentials: { kind: 'application-credential', id, secret } })
    if (called === null) return lacks(['application_credential_id'])
    const user = userOf(option)
    if (user === null) return lacks(['username'], 'CloudLacksUserOfCredential')
    return ok({ authUrl, credentials: { kind: 'application-credential', name: called, user, secret } })
  }
  if (TOKEN.includes(type)) {
    const token = option('token', 'auth_token')
    if (token === null) return lacks(['token'])
    const scope = scopeOf(option)
    return 'unusable' in scope ? unusable(scope) : ok({ authUrl, credentials: { kind: 'token', token, scope } })
  }
  if (PASSWORD.includes(type)) {
    const user = userOf(option)
    const password = option('password')
    if (user === null) return lacks(['username', 'user_id'])
    if (password === null) return lacks(['password'])
    const scope = scopeOf(option)
    return 'unusable' in scope
      ? unusable(scope)
      : ok({ authUrl, credentials: { kind: 'password', user, password, scope } })
  }
  const why = because('CloudAuthTypeUnknown', { cloud: name, file: cloudsFile, type: type.slice(0, 40) })
  return failed(refusal('bad-input', why, { target: cloudsFile }))
}

type Option = (...keys: readonly string[]) => string | null

/** An option is under `auth`, or at the top of the cloud; with dashes or underscores (loader.py _find_winning_auth_value). */
function findOption(settings: Settings, keys: readonly string[]): string | null {
  const auth = isSettings(settings.auth) ? settings.auth : {}
  for (const place of [auth, settings]) {
    for (const key of keys.flatMap(each => [each, each.replaceAll('_', '-')])) {
      const value = Object.hasOwn(place, key) ? place[key] : undefined
      if (typeof value === 'string' && value !== '') return value
    }
  }
  return null
}

/** Whether an option is a list or a mapping instead of a text: `auth_url: {{ url }}` is a mapping to YAML. */
function isNoText(settings: Settings, option: string): boolean {
  const auth = isSettings(settings.auth) ? settings.auth : {}
  return [auth, settings].some(place => typeof (place[option] ?? '') === 'object')
}

/** Without auth_type it is a password, unless only other credentials exist. */
function impliedType(option: Option): string {
  if (option('password') !== null) return 'password'
  if (option('application_credential_secret') !== null) return 'v3applicationcredential'
  return option('token', 'auth_token') !== null ? 'token' : 'password'
}

function userOf(option: Option): NamedInDomain | null {
  const id = option('user_id')
  const name = option('username', 'user_name')
  if (id !== null) return { id }
  return name === null ? null : { name, ...inDomain(domainOf(option, 'user_domain')) }
}

interface UnusableScope {
  readonly unusable: 'trust-and-other' | 'system-not-all'
}

/** Its project, else its domain, else the system, else the credentials' own scope (keystoneauth v3 scopes); a trust excludes the others. */
function scopeOf(option: Option): TokenScope | UnusableScope {
  const scope = scopeWithoutTrust(option)
  const trust = option('trust_id')
  if (trust === null) return scope
  const isAlone = 'kind' in scope && (scope.kind === 'unscoped' || scope.kind === 'system')
  return isAlone ? { kind: 'trust', id: trust } : { unusable: 'trust-and-other' }
}

function scopeWithoutTrust(option: Option): TokenScope | UnusableScope {
  const id = option('project_id', 'tenant_id')
  const name = option('project_name', 'tenant_name')
  if (id !== null) return { kind: 'project', project: { id } }
  if (name !== null) {
    return { kind: 'project', project: { name, ...inDomain(domainOf(option, 'project_domain')) } }
  }
  const domainId = option('domain_id')
  const domainName = option('domain_name')
  if (domainId !== null) return { kind: 'domain', domain: { id: domainId } }
  if (domainName !== null) return { kind: 'domain', domain: { name: domainName } }
  const system = option('system_scope')
  if (system === null) return { kind: 'unscoped' }
  return system === 'all' ? { kind: 'system' } : { unusable: 'system-not-all' }
}

/** Its own domain, else `domain_*` and `default_domain*`, else the domain with the id `default` (osc-lib: os_default_domain). */
function domainOf(option: Option, key: 'user_domain' | 'project_domain'): DomainReference {
  for (const [id, name] of [
    [`${key}_id`, `${key}_name`],
    ['domain_id', 'domain_name'],
    ['default_domain_id', 'default_domain_name'],
  ] as const) {
    const foundId = option(id)
    if (foundId !== null) return { id: foundId }
    const foundName = option(name)
    if (foundName !== null) return { name: foundName }
  }
  return { id: option('default_domain') ?? 'default' }
}

function inDomain(domain: DomainReference): Pick<NamedInDomain, 'domainId' | 'domainName'> {
  return {
    ...(domain.id === undefined ? {} : { domainId: domain.id }),
    ...(domain.name === undefined ? {} : { domainName: domain.name }),
  }
}

import { dirname, isAbsolute, resolve, sep } from 'node:path'
import type { Cluster, User } from '@kubernetes/client-node'
import { clusterFault, userFault } from './kubeconfig-faults.ts'
import { type RawObject, rawList, rawObject, rawText, rawTextOrNull } from './raw.ts'

export type CredentialKind = 'exec' | 'oidc' | 'other provider' | 'token' | 'basic' | 'client certificate' | 'none'

interface ClusterFacts {
  readonly name: string
  readonly file: string
  readonly fault: ReturnType<typeof clusterFault>
}

interface UserFacts {
  readonly name: string
  readonly file: string
  readonly fault: ReturnType<typeof userFault>
  readonly credentials: CredentialKind
  /** Absolute path; null if the token is in no file. */
  readonly tokenFile: string | null
  /** `tokenFile` as written, without its folder: an operator may have put a token here by mistake. */
  readonly tokenFileAsWritten: string | null
  readonly actsIn: Readonly<Record<string, string | readonly string[]>>
}

interface ContextFacts {
  readonly name: string
  readonly file: string
}

/** A cluster of a kubeconfig; `settings` are null if it has no address, so that KubeConfig ignores it. */
interface KubeconfigCluster extends ClusterFacts {
  readonly settings: Cluster | null
}

export interface KubeconfigUser extends UserFacts {
  readonly settings: User
}

/** One context of a kubeconfig, fixed: a later `use-context` does not affect it (drain.md, client facts 7). */
export interface KubeconfigContext {
  readonly name: string
  readonly cluster: KubeconfigCluster
  /** A context without a user is an anonymous session. */
  readonly user: KubeconfigUser | null
}

/** The entries of all files by name: the first file with a name wins, as in kubectl. */
export interface Entries {
  readonly clusters: Map<string, ClusterFacts>
  readonly users: Map<string, UserFacts>
  readonly contexts: Map<string, ContextFacts>
}

/** A file for KubeConfig: only entries that no earlier file has, only fields that kubectl reads, with validated values. Holds secrets. */
export interface ValidatedFile {
  readonly folder: string
  readonly text: string
}

/** A name that occurs twice in one file: kubectl accepts neither entry (client-go, `duplicate name`). */
interface DuplicateName {
  readonly kind: 'cluster' | 'user' | 'context'
  readonly name: string
}

/** Validates the entries of a file with a checked shape (kubeconfig-shape.ts) and adds them to those of earlier files. */
export function validatedFile(
  file: string,
  top: RawObject,
  into: Entries,
): { readonly file: ValidatedFile } | { readonly twice: DuplicateName } {
  const folder = dirname(resolve(file))
  const clusters = newEntries(top.clusters, 'cluster', into.clusters)
  if (typeof clusters === 'string') return { twice: { kind: 'cluster', name: clusters } }
  const users = newEntries(top.users, 'user', into.users)
  if (typeof users === 'string') return { twice: { kind: 'user', name: users } }
  const contexts = newEntries(top.contexts, 'context', into.contexts)
  if (typeof contexts === 'string') return { twice: { kind: 'context', name: contexts } }
  for (const [name, fields] of clusters) into.clusters.set(name, { name, file, fault: clusterFault(fields) })
  for (const [name, fields] of users) into.users.set(name, userFacts({ name, file, folder, fields }))
  for (const [name] of contexts) into.contexts.set(name, { name, file })
  const document = {
    clusters: clusters.map(([name, fields]) => ({ name, cluster: nonEmptyTexts(fields, CLUSTER_FIELDS) })),
    users: users.map(([name, fields]) => ({ name, user: userDocument(fields, folder) })),
    contexts: contexts.map(([name, fields]) => ({ name, context: nonEmptyTexts(fields, CONTEXT_FIELDS) })),
    ...nonEmptyTexts(top, ['current-context']),
  }
  return { file: { folder, text: asciiJson(JSON.stringify(document)) } }
}

function newEntries(
  entries: unknown,
  kind: DuplicateName['kind'],
  before: ReadonlyMap<string, unknown>,
): string | readonly (readonly [name: string, fields: RawObject])[] {
  const own = new Map<string, RawObject>()
  for (const entry of rawList(entries).map(rawObject)) {
    const name = rawText(entry.name)
    if (own.has(name)) return name
    own.set(name, rawObject(entry[kind]))
  }
  return [...own].filter(([name]) => !before.has(name))
}

const CLUSTER_FIELDS = [
  'server',
  'tls-server-name',
  'insecure-skip-tls-verify',
  'certificate-authority',
  'certificate-authority-data',
  'proxy-url',
]
const CONTEXT_FIELDS = ['cluster', 'user', 'namespace']
const CERTIFICATE_FIELDS = ['client-certificate', 'client-certificate-data', 'client-key', 'client-key-data']

/** The non-empty texts: kubectl treats an empty text as absent. */
function nonEmptyTexts(fields: RawObject, names: readonly string[]): RawObject {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = fields[name]
      return value === undefined || value === null || value === '' ? [] : [[name, value]]
    }),
  )
}

/** Keeps only the credentials that decide, so that KubeConfig sees no others; a certificate combines with any. */
function userDocument(fields: RawObject, folder: string): RawObject {
  return { ...nonEmptyTexts(fields, ['as', ...CERTIFICATE_FIELDS]), ...decidingCredentials(fields, folder) }
}

function decidingCredentials(fields: RawObject, folder: string): RawObject {
  switch (credentialKind(fields)) {
    case 'token':
      return nonEmptyTexts(fields, ['token'])
    case 'basic':
      return { username: rawText(fields.username), password: rawText(fields.password) }
    case 'exec': {
      const exec = rawObject(fields.exec)
      const command = rawText(exec.command)
      // A command with a separator is relative to its kubeconfig, a bare one is looked up in PATH (client-go clientcmd/loader.go).
      return { exec: { ...exec, command: command.includes(sep) ? pathBesideFile(folder, command) : command } }
    }
    case 'oidc':
    case 'other provider':
      return { 'auth-provider': fields['auth-provider'] }
    case 'client certificate':
    case 'none':
      return {}
  }
}

/** How this user authenticates if several methods are given: client-go runs commands and providers only if nothing else is there. */
function credentialKind(fields: RawObject): CredentialKind {
  const has = (...names: readonly string[]) => names.some(name => rawText(fields[name]) !== '')
  if (has('token', 'tokenFile')) return 'token'
  if (has('username')) return 'basic'
  const hasCertificate = has('client-certificate', 'client-certificate-data')
  if (fields.exec !== undefined && fields.exec !== null) return hasCertificate ? 'client certificate' : 'exec'
  const provider = rawText(rawObject(fields['auth-provider']).name)
  if (provider !== '') return provider === 'oidc' ? 'oidc' : 'other provider'
  return hasCertificate ? 'client certificate' : 'none'
}

function userFacts({
  name,
  file,
  folder,
  fields,
}: {
  readonly name: string
  readonly file: string
  readonly folder: string
  readonly fields: RawObject
}): UserFacts {
  const tokenFile = rawTextOrNull(fields.tokenFile)
  return {
    name,
    file,
    fault: userFault(fields),
    credentials: credentialKind(fields),
    tokenFile: tokenFile === null ? null : pathBesideFile(folder, tokenFile),
    tokenFileAsWritten: tokenFile,
    actsIn: impersonationIn(fields),
  }
}

/** The impersonation headers beside `as`: omitting groups would act with other rights than intended (kubectl --as-group in a kubeconfig). */
function impersonationIn(fields: RawObject): UserFacts['actsIn'] {
  const uid = rawTextOrNull(fields['as-uid'])
  const groups = rawList(fields['as-groups']).map(each => headerBytes(String(each)))
  const extra = Object.entries(rawObject(fields['as-user-extra'])).map(
    ([name, values]) => [extraHeaderName(name), rawList(values).map(each => headerBytes(String(each)))] as const,
  )
  return {
    ...(uid === null ? {} : { 'Impersonate-Uid': headerBytes(uid) }),
    ...(groups.length === 0 ? {} : { 'Impersonate-Group': groups }),
    ...Object.fromEntries(extra),
  }
}

/** Half of a surrogate pair, which YAML can escape, has no UTF-8 bytes; like Go, we replace it. */
function extraHeaderName(name: string): string {
  return `Impersonate-Extra-${encodeURIComponent(name.toWellFormed())}`
}

/** A name as a header value: UTF-8 bytes, each of which Node's headers take as one letter. */
export function headerBytes(name: string): string {
  return Buffer.from(name).toString('latin1')
}

function pathBesideFile(folder: string, path: string): string {
  return isAbsolute(path) ? path : resolve(folder, path)
}

/** JSON that every YAML reader accepts: control characters and non-ASCII letters are escaped. */
function asciiJson(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

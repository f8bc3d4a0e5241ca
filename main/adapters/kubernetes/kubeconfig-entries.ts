import { dirname, isAbsolute, resolve, sep } from 'node:path'
import type { Cluster, User } from '@kubernetes/client-node'
import { clusterFault, userFault } from './kubeconfig-faults.ts'
import { type RawObject, rawList, rawObject, rawText, rawTextOrNull } from './raw.ts'

/** How a user of a kubeconfig proves who it is. */
export type CredentialKind = 'exec' | 'oidc' | 'other provider' | 'token' | 'basic' | 'client certificate' | 'none'

/** What is known of a cluster beside what KubeConfig has of it; `fault`: why it cannot be used, null when it can. */
interface ClusterFacts {
  readonly name: string
  readonly file: string
  readonly fault: ReturnType<typeof clusterFault>
}

/** The same of a user, and the fields that KubeConfig does not have. */
interface UserFacts {
  readonly name: string
  readonly file: string
  readonly fault: ReturnType<typeof userFault>
  readonly credentials: CredentialKind
  /** Whole path; null when the token is in no file. */
  readonly tokenFile: string | null
  /** `tokenFile` as the file says it, before its folder: an operator may have put a token here. */
  readonly tokenFileAsWritten: string | null
  /** Headers of `as-uid`, `as-groups` and `as-user-extra`. */
  readonly actsIn: Readonly<Record<string, string | readonly string[]>>
}

/** The same of a context. */
interface ContextFacts {
  readonly name: string
  readonly file: string
}

/** A cluster of a kubeconfig; `settings` are null where KubeConfig takes it for none, because it has no address. */
interface KubeconfigCluster extends ClusterFacts {
  readonly settings: Cluster | null
}

/** A user of a kubeconfig. */
export interface KubeconfigUser extends UserFacts {
  readonly settings: User
}

/** One context cut out of a kubeconfig: nothing in it follows a later `use-context` (drain.md, client facts 7). */
export interface KubeconfigContext {
  readonly name: string
  readonly cluster: KubeconfigCluster
  /** A context may name no user: an anonymous session. */
  readonly user: KubeconfigUser | null
}

/** The entries of all files by their names: whoever names one first has it whole, as for kubectl. */
export interface Entries {
  readonly clusters: Map<string, ClusterFacts>
  readonly users: Map<string, UserFacts>
  readonly contexts: Map<string, ContextFacts>
}

/** A file for KubeConfig: only what an earlier one does not name, only fields that count for kubectl, with the values that were proven. Holds secrets. */
export interface ProvenFile {
  readonly folder: string
  readonly text: string
}

/** An entry that one file has twice: in one file kubectl takes neither, since nobody can tell which is meant (client-go, `duplicate name`). */
interface Twice {
  readonly kind: 'cluster' | 'user' | 'context'
  readonly name: string
}

/** Proves the entries of a file whose shape was checked (kubeconfig-shape.ts) and adds them to those of the files before. */
export function provenFile(
  file: string,
  top: RawObject,
  into: Entries,
): { readonly file: ProvenFile } | { readonly twice: Twice } {
  const folder = dirname(resolve(file))
  const clusters = freshEntries(top.clusters, 'cluster', into.clusters)
  if (typeof clusters === 'string') return { twice: { kind: 'cluster', name: clusters } }
  const users = freshEntries(top.users, 'user', into.users)
  if (typeof users === 'string') return { twice: { kind: 'user', name: users } }
  const contexts = freshEntries(top.contexts, 'context', into.contexts)
  if (typeof contexts === 'string') return { twice: { kind: 'context', name: contexts } }
  for (const [name, fields] of clusters) into.clusters.set(name, { name, file, fault: clusterFault(fields) })
  for (const [name, fields] of users) into.users.set(name, userFacts({ name, file, folder, fields }))
  for (const [name] of contexts) into.contexts.set(name, { name, file })
  const document = {
    clusters: clusters.map(([name, fields]) => ({ name, cluster: texts(fields, CLUSTER_FIELDS) })),
    users: users.map(([name, fields]) => ({ name, user: userDocument(fields, folder) })),
    contexts: contexts.map(([name, fields]) => ({ name, context: texts(fields, CONTEXT_FIELDS) })),
    ...texts(top, ['current-context']),
  }
  return { file: { folder, text: inAscii(JSON.stringify(document)) } }
}

/** The entries of one file that no earlier file names; a name that this file has twice. */
function freshEntries(
  entries: unknown,
  kind: Twice['kind'],
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

/** Those that have something: for kubectl an empty text is none. */
function texts(fields: RawObject, names: readonly string[]): RawObject {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = fields[name]
      return value === undefined || value === null || value === '' ? [] : [[name, value]]
    }),
  )
}

/** Where several credentials are given, the one that decides, so that KubeConfig knows no other; a certificate goes with any. */
function userDocument(fields: RawObject, folder: string): RawObject {
  return { ...texts(fields, ['as', ...CERTIFICATE_FIELDS]), ...deciding(fields, folder) }
}

function deciding(fields: RawObject, folder: string): RawObject {
  switch (credentialKind(fields)) {
    case 'token':
      return texts(fields, ['token'])
    case 'basic':
      return { username: rawText(fields.username), password: rawText(fields.password) }
    case 'exec': {
      const exec = rawObject(fields.exec)
      const command = rawText(exec.command)
      // A command with a separator is relative to its kubeconfig, a bare one is looked up in PATH (client-go clientcmd/loader.go).
      return { exec: { ...exec, command: command.includes(sep) ? besides(folder, command) : command } }
    }
    case 'oidc':
    case 'other provider':
      return { 'auth-provider': fields['auth-provider'] }
    case 'client certificate':
    case 'none':
      return {}
  }
}

/** How this user proves who it is; where several are given, the one that decides: client-go runs no command and no provider where there is something else. */
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
    tokenFile: tokenFile === null ? null : besides(folder, tokenFile),
    tokenFileAsWritten: tokenFile,
    actsIn: actsIn(fields),
  }
}

/** Whose groups the user has: leaving them out would act with other rights than the operator meant (kubectl --as-group in a kubeconfig). */
function actsIn(fields: RawObject): UserFacts['actsIn'] {
  const uid = rawTextOrNull(fields['as-uid'])
  const groups = rawList(fields['as-groups']).map(each => inHeader(String(each)))
  const extra = Object.entries(rawObject(fields['as-user-extra'])).map(
    ([name, values]) =>
      [`Impersonate-Extra-${encodeURIComponent(name)}`, rawList(values).map(each => inHeader(String(each)))] as const,
  )
  return {
    ...(uid === null ? {} : { 'Impersonate-Uid': inHeader(uid) }),
    ...(groups.length === 0 ? {} : { 'Impersonate-Group': groups }),
    ...Object.fromEntries(extra),
  }
}

/** A name as it goes over the wire: in UTF-8, of which Node's headers take each byte for a letter. */
export function inHeader(name: string): string {
  return Buffer.from(name).toString('latin1')
}

/** A path written in a kubeconfig belongs to the folder of the file it is written in (kubectl). */
function besides(folder: string, path: string): string {
  return isAbsolute(path) ? path : resolve(folder, path)
}

/** JSON that every reader of YAML takes for the same: signs of control and letters outside of ASCII as escapes. */
function inAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

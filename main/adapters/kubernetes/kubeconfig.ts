import { dirname, isAbsolute, resolve } from 'node:path'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { namesOf } from '../../../shared/words/steps/coded.ts'
import { readNamedFile } from '../../platform/files/named-file.ts'
import { textOf } from '../../platform/files/text-of.ts'
import { AS_KUBECTL, readYamlText } from '../../platform/files/yaml-text.ts'
import { wrongField } from './kubeconfig-shape.ts'
import { type RawObject, rawList, rawObject, rawText, rawTextOrNull } from './raw.ts'

/** One named entry of a kubeconfig together with the file it came from, to which its relative paths belong. */
export interface KubeconfigEntry {
  readonly name: string
  readonly file: string
  readonly fields: RawObject
}

/** Several kubeconfig files merged as kubectl does: whoever names an entry first has it whole. Holds secrets: never log it. */
interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>
  readonly users: ReadonlyMap<string, KubeconfigEntry>
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>
  readonly currentContext: string | null
  /** Files of which only the first YAML document counts, as for kubectl, and that hold more: what is missed may be there. */
  readonly cutAfterFirst: readonly string[]
}

/** One context cut out of a kubeconfig: nothing in it follows a later `use-context` (drain.md, client facts 7). */
export interface KubeconfigContext {
  readonly name: string
  readonly cluster: KubeconfigEntry
  /** A context may name no user: an anonymous session. */
  readonly user: KubeconfigEntry | null
}

/** Which files kubectl would read: the list in KUBECONFIG, else ~/.kube/config. */
export function defaultKubeconfigPaths(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): readonly string[] {
  const listed = (environment.KUBECONFIG ?? '')
    .split(process.platform === 'win32' ? ';' : ':')
    .filter(path => path !== '')
  return listed.length > 0 ? [...new Set(listed)].map(path => resolve(path)) : [resolve(home, '.kube', 'config')]
}

/**
 * Reads and merges kubeconfig files as kubectl does (Kubernetes docs, "Merging kubeconfig files"): the first file wins per name, a
 * missing file of the list is passed over, an empty one is fine. Failures name file and line, never contents.
 */
export async function loadKubeconfig(paths: readonly string[]): Promise<Result<Kubeconfig>> {
  const clusters = new Map<string, KubeconfigEntry>()
  const users = new Map<string, KubeconfigEntry>()
  const contexts = new Map<string, KubeconfigEntry>()
  let currentContext: string | null = null
  const cutAfterFirst: string[] = []
  let found = 0
  for (const file of paths) {
    const read = await readKubeconfigFile(file)
    if (!read.ok) return read
    if (read.value === null) continue
    found += 1
    const { top, isFirst } = read.value
    if (isFirst) cutAfterFirst.push(file)
    for (const [into, kind] of [
      [clusters, 'cluster'],
      [users, 'user'],
      [contexts, 'context'],
    ] as const) {
      const twice = collect(into, file, top[`${kind}s`], kind)
      if (twice !== null) return failed(namedTwice(file, kind, twice))
    }
    currentContext ??= rawTextOrNull(top['current-context'])
  }
  if (found === 0) {
    return failed(refusal('not-found', because('KubeconfigMissing', { files: paths })))
  }
  return ok({ clusters, users, contexts, currentContext, cutAfterFirst })
}

/** Cuts one context out of a kubeconfig; null means its current context, fixed now. */
export function singleContext(config: Kubeconfig, wanted: string | null): Result<KubeconfigContext> {
  const name = wanted ?? config.currentContext
  const cut = config.cutAfterFirst
  const offered = { contexts: namesOf([...config.contexts.keys()]), cut }
  if (name === null) return failed(refusal('bad-input', because('KubeconfigWithoutCurrentContext', offered)))
  const context = config.contexts.get(name)
  if (context === undefined) {
    return failed(refusal('not-found', because('ContextMissing', { context: name, ...offered })))
  }
  const written = { context: name, file: context.file, cut }
  const clusterName = rawText(context.fields.cluster)
  const cluster = config.clusters.get(clusterName)
  if (cluster === undefined) {
    return failed(refusal('bad-input', because('ContextWithoutCluster', { ...written, cluster: clusterName })))
  }
  const userName = rawText(context.fields.user)
  const user = config.users.get(userName)
  if (user === undefined && userName !== '') {
    return failed(refusal('bad-input', because('ContextWithoutUser', { ...written, user: userName })))
  }
  return ok({ name, cluster, user: user ?? null })
}

/** A path written in a kubeconfig belongs to the folder of the file it is written in (kubectl). */
export function pathBesides(entry: KubeconfigEntry, path: string): string {
  return isAbsolute(path) ? path : resolve(dirname(entry.file), path)
}

/** A file's top level, and whether more documents follow it; null when there is no such file. */
async function readKubeconfigFile(
  file: string,
): Promise<Result<{ readonly top: RawObject; readonly isFirst: boolean } | null>> {
  const read = await readNamedFile(file)
  if (read.kind === 'absent') return ok(null)
  if (read.kind === 'refused')
    return failed(refusal('bad-input', because('KubeconfigUnreadable', { file, fault: read.fault })))
  const yaml = readYamlText(textOf(read.content), AS_KUBECTL)
  if (!yaml.ok) {
    return failed(
      refusal(
        'bad-input',
        yaml.line === null
          ? because('KubeconfigUnusable', { file, fault: yaml.fault })
          : because('KubeconfigNotYaml', { file, line: yaml.line, cause: yaml.code }),
      ),
    )
  }
  const { value: top, isFirst } = yaml
  if (top === null || top === undefined) return ok({ top: {}, isFirst })
  if (typeof top !== 'object' || Array.isArray(top)) {
    return failed(refusal('bad-input', because('NotAKubeconfig', { file })))
  }
  const wrong = wrongField(top)
  if (wrong !== null)
    return failed(refusal('bad-input', because('KubeconfigFieldWrong', { file, ...wrong }), { target: file }))
  const { kind, apiVersion } = rawObject(top)
  const [is, of] = [rawText(kind) || 'Config', rawText(apiVersion) || 'v1']
  if (is !== 'Config' || of !== 'v1') {
    return failed(
      refusal('bad-input', because('KubeconfigOfOtherKind', { file, is: is.slice(0, 40), of: of.slice(0, 40) }), {
        target: file,
      }),
    )
  }
  return ok({ top: rawObject(top), isFirst })
}

/** Takes the entries that no earlier file names; answers with a name that this file has twice. */
function collect(into: Map<string, KubeconfigEntry>, file: string, entries: unknown, kind: string): string | null {
  const own = new Set<string>()
  for (const entry of rawList(entries).map(rawObject)) {
    const name = rawText(entry.name)
    if (own.has(name)) return name
    own.add(name)
    if (!into.has(name)) into.set(name, { name, file, fields: rawObject(entry[kind]) })
  }
  return null
}

/** Among several files the first wins; in one file kubectl takes neither, since nobody can tell which is meant (client-go, `duplicate name`). */
function namedTwice(file: string, kind: 'cluster' | 'user' | 'context', name: string): Failure {
  return refusal('bad-input', because('KubeconfigNameTwice', { file, kind, name }), { target: file })
}

import { resolve } from 'node:path'
import type { KubeConfig } from '@kubernetes/client-node'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { namesOf } from '../../../shared/words/steps/coded.ts'
import { readNamedFile } from '../../platform/files/named-file.ts'
import { textOf } from '../../platform/files/text-of.ts'
import { AS_KUBECTL, readYamlText } from '../../platform/files/yaml-text.ts'
import { mergedConfig } from './client-node.ts'
import { type Entries, type KubeconfigContext, type KubeconfigUser, validatedFile } from './kubeconfig-entries.ts'
import { wrongField } from './kubeconfig-shape.ts'
import { type RawObject, rawObject, rawText } from './raw.ts'

/** Kubeconfig files, checked as kubectl checks them and merged by KubeConfig. Holds secrets: never log it. */
interface Kubeconfig {
  readonly config: KubeConfig
  readonly entries: Entries
  /** Files with further YAML documents: only the first counts, as in kubectl, and missing entries may be in the others. */
  readonly cutAfterFirst: readonly string[]
}

/** The files that kubectl would read: the list in KUBECONFIG, else ~/.kube/config. */
export function defaultKubeconfigPaths(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): readonly string[] {
  const listed = (environment.KUBECONFIG ?? '')
    .split(process.platform === 'win32' ? ';' : ':')
    .filter(path => path !== '')
  return listed.length > 0 ? [...new Set(listed)].map(path => resolve(path)) : [resolve(home, '.kube', 'config')]
}

/** Reads and merges kubeconfig files as kubectl does: the first file wins per name. Failures name file and line, never content. */
export async function loadKubeconfig(paths: readonly string[]): Promise<Result<Kubeconfig>> {
  const tops: { readonly file: string; readonly top: RawObject }[] = []
  const cutAfterFirst: string[] = []
  for (const file of paths) {
    const read = await readKubeconfigFile(file)
    if (!read.ok) return read
    if (read.value === null) continue
    tops.push({ file, top: read.value.top })
    if (read.value.isFirst) cutAfterFirst.push(file)
  }
  if (tops.length === 0) return failed(refusal('not-found', because('KubeconfigMissing', { files: paths })))
  return mergedOf(tops, cutAfterFirst)
}

export async function mergedOf(
  tops: readonly { readonly file: string; readonly top: RawObject }[],
  cutAfterFirst: readonly string[] = [],
): Promise<Result<Kubeconfig>> {
  const entries: Entries = { clusters: new Map(), users: new Map(), contexts: new Map() }
  const files = []
  for (const { file, top } of tops) {
    const proven = validatedFile(file, top, entries)
    if ('twice' in proven) {
      return failed(refusal('bad-input', because('KubeconfigNameTwice', { file, ...proven.twice }), { target: file }))
    }
    files.push(proven.file)
  }
  return ok({ config: await mergedConfig(files), entries, cutAfterFirst })
}

/** Selects one context of a kubeconfig; null means its current context at this time. */
export function singleContext(kubeconfig: Kubeconfig, wanted: string | null): Result<KubeconfigContext> {
  const { config, entries, cutAfterFirst: cut } = kubeconfig
  const name = wanted ?? (config.getCurrentContext() || null)
  // KubeConfig drops contexts without a name, so the message uses the files' entries.
  const offered = { contexts: namesOf([...entries.contexts.keys()]), cut }
  if (name === null) return failed(refusal('bad-input', because('KubeconfigWithoutCurrentContext', offered)))
  const facts = entries.contexts.get(name)
  if (facts === undefined) {
    return failed(refusal('not-found', because('ContextMissing', { context: name, ...offered })))
  }
  const context = config.getContextObject(name)
  const written = { context: name, file: facts.file, cut }
  const cluster = clusterOf(kubeconfig, context?.cluster ?? '')
  if (cluster === null) {
    return failed(
      refusal('bad-input', because('ContextWithoutCluster', { ...written, cluster: context?.cluster ?? '' })),
    )
  }
  const userName = context?.user ?? ''
  const user = userOf(kubeconfig, userName)
  if (user === null && userName !== '') {
    return failed(refusal('bad-input', because('ContextWithoutUser', { ...written, user: userName })))
  }
  return ok({ name, cluster, user })
}

function clusterOf({ config, entries }: Kubeconfig, name: string): KubeconfigContext['cluster'] | null {
  const facts = entries.clusters.get(name)
  return facts === undefined ? null : { ...facts, settings: config.getCluster(name) }
}

export function userOf({ config, entries }: Kubeconfig, name: string): KubeconfigUser | null {
  const facts = entries.users.get(name)
  const settings = config.getUser(name)
  return facts === undefined || settings === null ? null : { ...facts, settings }
}

/** A file's top level, and whether more documents follow; null if the file does not exist. */
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

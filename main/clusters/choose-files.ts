import { resolve } from 'node:path'
import type { CloudSource, KubeconfigSource } from '../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { kindAt } from '../platform/files/named-file.ts'
import { findCloudsFile } from './clouds-files.ts'
import { resolveCloud } from './clouds-yaml.ts'
import type { FilePlaces } from './file-places.ts'
import type { DescribeContexts } from './session-ports.ts'

export interface ChooseOptions {
  readonly describeContexts: DescribeContexts
  readonly defaultKubeconfigPaths: () => readonly string[]
  readonly places: FilePlaces
}

/** The named kubeconfig files as absolute paths; without names, the existing files that kubectl would read. */
export async function kubeconfigFiles(
  given: readonly string[],
  { defaultKubeconfigPaths, places }: ChooseOptions,
): Promise<Result<readonly string[]>> {
  const named = given.map(path => absolutePath(path, places))
  for (const path of named) {
    if ((await kindAt(path)) !== 'absent') continue
    return failed(refusal('not-found', because('KubeconfigAbsent', { path }), { target: path }))
  }
  const usual = defaultKubeconfigPaths()
  // kubectl skips missing files of a list; a file that appears later must not change the cluster.
  const paths = named.length > 0 ? named : await thoseThere(usual)
  if (paths.length > 0) return ok(paths)
  return failed(refusal('not-found', because('KubeconfigNotFound', { looked: usual })))
}

/** Fixes files and context, which must be usable now; null means the current context. */
export async function chooseKubeconfig(
  input: { readonly paths: readonly string[]; readonly context: string | null },
  options: ChooseOptions,
): Promise<Result<KubeconfigSource>> {
  const files = await kubeconfigFiles(input.paths, options)
  if (!files.ok) return files
  const paths = files.value
  const contexts = await options.describeContexts(paths)
  if (!contexts.ok) return contexts
  const chosen = contexts.value.find(each => (input.context === null ? each.current : each.name === input.context))
  if (chosen === undefined) {
    const offered = { files: paths, contexts: contexts.value.map(each => each.name) }
    return failed(
      input.context === null
        ? refusal('bad-input', because('ContextNotCurrent', offered))
        : refusal('not-found', because('ContextUnknown', { ...offered, context: input.context })),
    )
  }
  if (chosen.host === null) {
    const { name, file, cluster } = chosen
    const why = because('ContextHasNoServer', { context: name, file, kubernetesCluster: cluster })
    return failed(refusal('bad-input', why, { target: file }))
  }
  return ok({ paths: [...paths], context: chosen.name })
}

/** Fixes the cloud, which must be usable now; null path: the file that the openstack client would read. */
export async function chooseCloud(
  input: { readonly path: string | null; readonly cloud: string } | null,
  { places }: Pick<ChooseOptions, 'places'>,
): Promise<Result<CloudSource | null>> {
  if (input === null) return ok(null)
  const path = await cloudsFile(input.path, { places })
  if (!path.ok) return path
  const source = { path: path.value, cloud: input.cloud }
  const usable = await resolveCloud(source, places)
  return usable.ok ? ok(source) : usable
}

/** The named clouds.yaml as an absolute path; without a name, the one that the openstack client would read. */
export async function cloudsFile(
  given: string | null,
  { places }: Pick<ChooseOptions, 'places'>,
): Promise<Result<string>> {
  return given === null ? findCloudsFile(places) : ok(absolutePath(given, places))
}

/** A path from a dialog may start with ~, which no shell has expanded. */
export function absolutePath(path: string, { currentDirectory, home }: FilePlaces): string {
  return resolve(currentDirectory, path.replace(/^~(?=\/|$)/, home))
}

async function thoseThere(paths: readonly string[]): Promise<readonly string[]> {
  const kinds = await Promise.all(paths.map(kindAt))
  return paths.filter((_, at) => kinds[at] !== 'absent')
}

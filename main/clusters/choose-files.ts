import { resolve } from 'node:path'
import type { CloudSource, KubeconfigSource } from '../../shared/domain/cluster.ts'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { kindAt } from '../files/named-file.ts'
import { findCloudsFile } from './clouds-files.ts'
import { resolveCloud } from './clouds-yaml.ts'
import type { FilePlaces } from './file-places.ts'
import type { DescribeContexts } from './session-ports.ts'

/** What choosing files needs from around it. */
export interface ChooseOptions {
  readonly describeContexts: DescribeContexts
  /** Which files kubectl would read here and now. */
  readonly defaultKubeconfigPaths: () => readonly string[]
  readonly places: FilePlaces
}

/** The kubeconfig files an operator named, as absolute paths; none named: those that kubectl would read and that exist. */
export async function kubeconfigFiles(
  given: readonly string[],
  { defaultKubeconfigPaths, places }: ChooseOptions,
): Promise<Result<readonly string[]>> {
  const named = given.map(path => absolutePath(path, places))
  for (const path of named) {
    if ((await kindAt(path)) !== 'absent') continue
    return failed(failure('not-found', `There is no kubeconfig at ${path}. Give the right path.`, { target: path }))
  }
  const usual = defaultKubeconfigPaths()
  // kubectl passes over missing files of a list; what is not there now shall not change the cluster later.
  const paths = named.length > 0 ? named : await thoseThere(usual)
  if (paths.length > 0) return ok(paths)
  return failed(
    failure('not-found', `No kubeconfig found at ${usual.join(', ')}. Give the path of one, or set KUBECONFIG.`),
  )
}

/** Fixes files and context, which must be usable as they are now; null: the current context. */
export async function chooseKubeconfig(
  input: { readonly paths: readonly string[]; readonly context: string | null },
  options: ChooseOptions,
): Promise<Result<KubeconfigSource>> {
  const files = await kubeconfigFiles(input.paths, options)
  if (!files.ok) return files
  const paths = files.value
  const contexts = await options.describeContexts(paths)
  if (!contexts.ok) return contexts
  const offer =
    contexts.value.length === 0
      ? 'There are no contexts in it.'
      : `Contexts there: ${contexts.value.map(each => each.name).join(', ')}.`
  const chosen = contexts.value.find(each => (input.context === null ? each.current : each.name === input.context))
  const where = paths.join(', ')
  if (chosen === undefined) {
    return failed(
      input.context === null
        ? failure('bad-input', `${where} has no current context. Name one. ${offer}`)
        : failure('not-found', `${where} has no context named ${input.context}. ${offer}`),
    )
  }
  if (chosen.host === null) {
    return failed(
      failure(
        'bad-input',
        `Context ${chosen.name} in ${chosen.file} uses cluster ${chosen.cluster}, which has no usable server address. Correct it there.`,
        { target: chosen.file },
      ),
    )
  }
  return ok({ paths: [...paths], context: chosen.name })
}

/** Fixes the cloud, which must be usable as it is now; null path: the file that the openstack client would read. */
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

/** The clouds.yaml an operator named, as absolute path; none named: the one that the openstack client would read. */
export async function cloudsFile(
  given: string | null,
  { places }: Pick<ChooseOptions, 'places'>,
): Promise<Result<string>> {
  return given === null ? findCloudsFile(places) : ok(absolutePath(given, places))
}

/** A path from a dialog may begin with ~, which no shell has replaced. */
export function absolutePath(path: string, { currentDirectory, home }: FilePlaces): string {
  return resolve(currentDirectory, path.replace(/^~(?=\/|$)/, home))
}

async function thoseThere(paths: readonly string[]): Promise<readonly string[]> {
  const kinds = await Promise.all(paths.map(kindAt))
  return paths.filter((_, at) => kinds[at] !== 'absent')
}

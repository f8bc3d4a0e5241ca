import { join } from 'node:path'
import type { CloudOffer, ContextOffer, RequestOutput } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { ContextDescription } from '../adapters/kubernetes/describe-contexts.ts'
import type { CloudCredentials, NamedInDomain, TokenScope } from '../adapters/openstack/resolved-cloud.ts'
import { kindAt } from '../platform/files/named-file.ts'
import { type ChooseOptions, cloudsFile, kubeconfigFiles } from './choose-files.ts'
import { readCredentials } from './cloud-credentials.ts'
import { cloudNames, readCloudSettings } from './cloud-settings.ts'
import { cloudsFilePlaces, readSettings } from './clouds-files.ts'
import { resolveCloud, text } from './clouds-yaml.ts'
import type { FilePlaces } from './file-places.ts'
import type { Registry } from './registry.ts'

/** The contexts of kubeconfig files, without secrets and without running anything. */
export async function inspectKubeconfig(
  given: readonly string[],
  options: ChooseOptions & { readonly registry: Pick<Registry, 'isConsented'> },
): Promise<Result<RequestOutput<'kubeconfig.inspect'>>> {
  const paths = await kubeconfigFiles(given, options)
  if (!paths.ok) return paths
  const contexts = await contextOffers(paths.value, options)
  return contexts.ok ? ok({ paths: [...paths.value], contexts: contexts.value }) : contexts
}

/** The contexts of exactly these files; as with kubectl, one of several may be missing. */
export async function contextOffers(
  paths: readonly string[],
  options: Pick<ChooseOptions, 'describeContexts'> & { readonly registry: Pick<Registry, 'isConsented'> },
): Promise<Result<ContextOffer[]>> {
  const contexts = await options.describeContexts(paths)
  return contexts.ok ? ok(contexts.value.map(context => contextOffer(context, options.registry))) : contexts
}

function contextOffer(
  { execPlugin, ...context }: ContextDescription,
  registry: Pick<Registry, 'isConsented'>,
): ContextOffer {
  return {
    ...context,
    execPlugin:
      execPlugin === null
        ? null
        : {
            ...execPlugin,
            args: [...execPlugin.args],
            envNames: [...execPlugin.envNames],
            consented: registry.isConsented(execPlugin.fingerprint),
          },
  }
}

/** The clouds of a clouds.yaml: names and places, and why one cannot be used; never a secret. */
export async function inspectClouds(
  given: string | null,
  options: Pick<ChooseOptions, 'places'>,
): Promise<Result<RequestOutput<'clouds.inspect'>>> {
  const path = await cloudsFile(given, options)
  if (!path.ok) return path
  const file = await readSettings(path.value)
  if (!file.ok) return file
  const clouds = await Promise.all(cloudNames(file.value).map(name => cloudOffer(path.value, name, options)))
  return ok({ path: path.value, clouds })
}

async function cloudOffer(path: string, name: string, { places }: Pick<ChooseOptions, 'places'>): Promise<CloudOffer> {
  const nothing = { name, host: null, user: null, project: null, region: null }
  const read = await readCloudSettings(path, name, places)
  if (!read.ok) return { ...nothing, ...problemOf(read.failure) }
  const region = text(read.value.settings, 'region_name')
  const auth = readCredentials(read.value, name)
  if (!auth.ok) return { ...nothing, region, ...problemOf(auth.failure) }
  const { authUrl, credentials } = auth.value
  const usable = await resolveCloud({ path, cloud: name }, places)
  // Only host and port: an address may contain a user and password.
  const host = URL.canParse(authUrl) ? new URL(authUrl).host : null
  return {
    name,
    host: host === '' ? null : host,
    user: userOf(credentials),
    project: credentials.kind === 'application-credential' ? null : projectOf(credentials.scope),
    region,
    ...(usable.ok ? { problem: null } : problemOf(usable.failure)),
  }
}

function problemOf({ message, reason, values }: Failure): Pick<CloudOffer, 'problem' | 'code' | 'values'> {
  return reason === undefined ? { problem: message } : { problem: message, code: reason, values: values ?? {} }
}

function userOf(credentials: CloudCredentials): string | null {
  switch (credentials.kind) {
    case 'password':
      return nameOf(credentials.user)
    case 'application-credential':
      return 'user' in credentials ? nameOf(credentials.user) : 'an application credential'
    case 'token':
      return null
  }
}

function projectOf(scope: TokenScope): string | null {
  return scope.kind === 'project' ? nameOf(scope.project) : null
}

function nameOf(reference: NamedInDomain): string | null {
  return reference.name ?? reference.id ?? null
}

/** Existing kubeconfigs that kubectl could use here: those listed in KUBECONFIG, and ~/.kube/config. */
export async function suggestKubeconfigs(usual: readonly string[], { home }: FilePlaces): Promise<readonly string[]> {
  return existing([...usual, join(home, '.kube', 'config')])
}

/** Existing clouds.yaml files where the openstack client searches, in order; it uses the first. */
export async function suggestCloudsFiles(places: FilePlaces): Promise<readonly string[]> {
  return existing(cloudsFilePlaces(places))
}

/** Files in a folder that this user may not enter do not count. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const places = [...new Set(paths)]
  const kinds = await Promise.all(places.map(kindAt))
  return places.filter((_, at) => kinds[at] === 'regular')
}

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RequestInput } from '../../shared/contract/index.ts'
import { type CloudSource, type Cluster, DEFAULT_LIMITS, type KubeconfigSource } from '../../shared/domain/cluster.ts'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { DEFAULT_ROLE_LABELS } from '../../shared/domain/roles.ts'
import { findCloudsFile } from './clouds-files.ts'
import { resolveCloud } from './clouds-yaml.ts'
import type { Registry } from './registry.ts'
import type { DescribeContexts } from './session-ports.ts'
import type { Surroundings } from './surroundings.ts'

/** Where the OpenStack pods of MOSK and openstack-helm run. */
const OPENSTACK_NAMESPACE = 'openstack'
/** There on every cluster, and holds no Leases of Kubernetes' own, which a role in kube-system could overwrite. */
const LEASE_NAMESPACE = 'default'

/** What adding a cluster needs from around it. */
export interface AddClusterOptions {
  readonly registry: Registry
  readonly describeContexts: DescribeContexts
  /** Which files kubectl would read here and now. */
  readonly defaultKubeconfigPaths: () => readonly string[]
  readonly surroundings: Surroundings
}

/**
 * Registers a cluster. What was left open is decided here once and for all (files, current context, cloud file), as absolute paths, so
 * that nothing follows a later switch of context or directory; both files must be usable as they are now.
 */
export async function addCluster(
  input: RequestInput<'cluster.add'>,
  options: AddClusterOptions,
): Promise<Result<Cluster>> {
  const kubeconfig = await chooseKubeconfig(input.kubeconfig, options)
  if (!kubeconfig.ok) return kubeconfig
  const cloud = await chooseCloud(input.cloud, options.surroundings)
  if (!cloud.ok) return cloud
  return options.registry.add({
    name: input.name,
    flavour: input.flavour,
    kubeconfig: kubeconfig.value,
    cloud: cloud.value,
    roleLabels: { ...DEFAULT_ROLE_LABELS, ...given(input.roleLabels) },
    limits: { ...DEFAULT_LIMITS, ...given(input.limits) },
    openstackNamespace: input.openstackNamespace ?? OPENSTACK_NAMESPACE,
    leaseNamespace: input.leaseNamespace ?? LEASE_NAMESPACE,
    production: input.production ?? false,
    colour: input.colour ?? null,
  })
}

async function chooseKubeconfig(
  input: RequestInput<'cluster.add'>['kubeconfig'],
  { describeContexts, defaultKubeconfigPaths, surroundings }: AddClusterOptions,
): Promise<Result<KubeconfigSource>> {
  const named = input.paths.map(path => absolute(path, surroundings))
  const absent = named.find(path => !existsSync(path))
  if (absent !== undefined) {
    return failed(
      failure('not-found', `There is no kubeconfig at ${absent}. Give the right path with --kubeconfig.`, {
        target: absent,
      }),
    )
  }
  const usual = defaultKubeconfigPaths()
  // kubectl passes over missing files of a list; what is not there now shall not change the cluster later.
  const paths = named.length > 0 ? named : usual.filter(path => existsSync(path))
  if (paths.length === 0) {
    return failed(
      failure(
        'not-found',
        `No kubeconfig found at ${usual.join(', ')}. Give one with --kubeconfig, or set KUBECONFIG.`,
      ),
    )
  }
  const contexts = await describeContexts(paths)
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
        ? failure('bad-input', `${where} has no current context. Name one with --context. ${offer}`)
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

async function chooseCloud(
  input: RequestInput<'cluster.add'>['cloud'],
  surroundings: Surroundings,
): Promise<Result<CloudSource | null>> {
  if (input === null) return ok(null)
  const path = input.path === null ? findCloudsFile(surroundings) : ok(absolute(input.path, surroundings))
  if (!path.ok) return path
  const source = { path: path.value, cloud: input.cloud }
  const usable = await resolveCloud(source, surroundings)
  return usable.ok ? ok(source) : usable
}

/** A path from a dialog may begin with ~, which no shell has replaced. */
function absolute(path: string, { currentDirectory, home }: Surroundings): string {
  return resolve(currentDirectory, path.replace(/^~(?=\/|$)/, home))
}

/** Only what was really said: an undefined value shall not remove a default. */
function given<T extends object>(values: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

import { failure } from '../../shared/domain/failure.ts'
import { failed, ok } from '../../shared/domain/result.ts'
import type { ClusterService } from '../api/services.ts'
import type { Clock } from '../clock/clock.ts'
import { addCluster } from '../clusters/add-cluster.ts'
import { testCluster } from '../clusters/cluster-test.ts'
import type { Registry } from '../clusters/registry.ts'
import type { Sessions } from '../clusters/sessions.ts'
import type { Surroundings } from '../clusters/surroundings.ts'
import { maintenanceAccessQuestions } from '../kubernetes/access-questions.ts'
import { describeContexts } from '../kubernetes/describe-contexts.ts'
import { defaultKubeconfigPaths } from '../kubernetes/kubeconfig.ts'
import type { Connectors } from './connectors.ts'

/** The registry and the sessions, as the router uses them. */
export function openClusterService(options: {
  readonly registry: Registry
  readonly sessions: Sessions
  readonly surroundings: Surroundings
  readonly connectors: Connectors
  readonly clock: Clock
}): ClusterService {
  const { registry, sessions, surroundings, connectors, clock } = options
  const pluginOf = async (name: string) => {
    const cluster = registry.get(name)
    if (!cluster.ok) return cluster
    const { paths, context } = cluster.value.kubeconfig
    const contexts = await describeContexts(paths)
    return contexts.ok ? ok(contexts.value.find(each => each.name === context)?.execPlugin ?? null) : contexts
  }
  return {
    list: () => registry.list(),
    get: name => registry.get(name),
    add: input =>
      addCluster(input, {
        registry,
        surroundings,
        describeContexts,
        defaultKubeconfigPaths: () => defaultKubeconfigPaths(surroundings.environment, surroundings.home),
      }),
    remove: async name => {
      const removed = registry.remove(name)
      if (removed.ok) sessions.forget(name)
      return removed.ok ? ok({}) : removed
    },
    execPlugin: async name => {
      const plugin = await pluginOf(name)
      if (!plugin.ok || plugin.value === null) return plugin.ok ? ok(null) : plugin
      const { fingerprint, file, user, command, args, envNames } = plugin.value
      return ok({
        fingerprint,
        file,
        user,
        command,
        args: [...args],
        envNames: [...envNames],
        consented: registry.isConsented(fingerprint),
      })
    },
    consent: async (name, fingerprint) => {
      const plugin = await pluginOf(name)
      if (!plugin.ok) return plugin
      if (plugin.value?.fingerprint !== fingerprint) {
        return failed(
          failure(
            'conflict',
            `The kubeconfig of ${name} does not ask for that command (any more). Read it again before you agree.`,
            {
              target: `cluster/${name}`,
            },
          ),
        )
      }
      const agreed = registry.consent({
        fingerprint,
        cluster: name,
        file: plugin.value.file,
        command: plugin.value.command,
      })
      if (agreed.ok) sessions.forget(name)
      return agreed.ok ? ok({}) : agreed
    },
    test: async name => {
      const cluster = registry.get(name)
      if (!cluster.ok) return cluster
      const accessQuestions = maintenanceAccessQuestions
      return ok(
        await testCluster({
          cluster: cluster.value,
          registry,
          describeContexts,
          accessQuestions,
          clock,
          ...connectors,
          connectOpenStack: connectors.connectOpenStackAfresh,
        }),
      )
    },
    connect: async name => {
      const session = await sessions.open(name)
      if (!session.ok) return session
      const { kubernetes, openstack, openstackFailure } = session.value
      return ok({
        warnings: [...kubernetes.warnings, ...(openstack?.warnings ?? [])],
        openstack: openstackFailure ?? (openstack === null ? 'none' : 'ok'),
      })
    },
  }
}

import type { ClusterTestReport } from '../../shared/contract/cluster.ts'
import { type Clock, isoNow } from '../clock/clock.ts'
import { rbacFor } from './rbac.ts'
import { type JujuTestOptions, testJuju } from './test-juju.ts'
import { type KubernetesTestOptions, testKubernetes } from './test-kubernetes.ts'
import { type OpenStackTestOptions, testOpenStack } from './test-openstack.ts'

/**
 * Tests everything a plan will need of a cluster, without changing anything: files, reachability, versions, clocks, permissions and
 * policy, each with what to do about it. Opens sessions of its own, so that it sees the files as they are now.
 */
export async function testCluster(
  options: KubernetesTestOptions & OpenStackTestOptions & JujuTestOptions & { readonly clock: Clock },
): Promise<ClusterTestReport> {
  const [kubernetes, openstack, juju] = await Promise.all([
    testKubernetes(options),
    testOpenStack(options),
    testJuju(options),
  ])
  const items = [...kubernetes.items, ...openstack, ...juju]
  return {
    cluster: options.cluster.name,
    testedAt: isoNow(options.clock),
    ok: items.every(({ outcome }) => outcome !== 'failed' && outcome !== 'missing'),
    items,
    missingRbac: kubernetes.refused.length === 0 ? null : manifest(kubernetes),
  }
}

function manifest({ refused, user }: Awaited<ReturnType<typeof testKubernetes>>): string {
  const subject = user ?? 'NAME-OF-THE-USER'
  return [
    '# Grants exactly what this test found missing. Apply it with an account that may grant it.',
    `# ${subject} is the name in the kubeconfig; put the name by which the API server knows the user`,
    '# (the common name of its certificate, or `kubectl auth whoami`).',
    rbacFor(refused, { kind: 'User', name: subject }),
  ].join('\n')
}

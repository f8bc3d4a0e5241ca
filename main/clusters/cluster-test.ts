import { stringify } from 'yaml'
import type { ClusterTestReport } from '../../shared/contract/cluster.ts'
import type { AccessQuestion } from '../../shared/domain/kubernetes.ts'
import { because } from '../../shared/words/reasons.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import { type JujuTestOptions, testJuju } from './test-juju.ts'
import { type KubernetesTestOptions, testKubernetes } from './test-kubernetes.ts'
import { type OpenStackTestOptions, testOpenStack } from './test-openstack.ts'

/** Tests everything that a plan needs, without changing anything, over separate sessions that see the current files. */
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
  const head = because('RbacManifestHead', { user: subject }).message
  return `${head}\n${rbacFor(refused, { kind: 'User', name: subject })}`
}

interface RbacSubject {
  readonly kind: 'User' | 'Group'
  readonly name: string
}

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

const API = 'rbac.authorization.k8s.io'

/** A manifest with exactly these permissions, for `kubectl apply -f`: a ClusterRole, or a Role for questions with a namespace. */
export function rbacFor(
  questions: readonly AccessQuestion[],
  subject: RbacSubject,
  name = 'lockkeeper-missing',
): string {
  const namespaces = [...new Set(questions.map(question => question.namespace ?? null))].sort()
  const documents = namespaces.flatMap(namespace => {
    const rules = rulesFor(questions.filter(question => (question.namespace ?? null) === namespace))
    const kind = namespace === null ? 'ClusterRole' : 'Role'
    const metadata = namespace === null ? { name } : { name, namespace }
    return [
      { apiVersion: `${API}/v1`, kind, metadata, rules },
      {
        apiVersion: `${API}/v1`,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: API, kind, name },
        subjects: [{ apiGroup: API, kind: subject.kind, name: subject.name }],
      },
    ]
  })
  return documents.map(document => stringify(document)).join('---\n')
}

function rulesFor(questions: readonly AccessQuestion[]): readonly Rule[] {
  const verbsOf = new Map<string, { group: string; resource: string; verbs: string[] }>()
  for (const { group, resource: plain, subresource, verb } of questions) {
    const resource = subresource === undefined ? plain : `${plain}/${subresource}`
    const key = `${group} ${resource}`
    const known = verbsOf.get(key) ?? { group, resource, verbs: [] }
    verbsOf.set(key, known)
    if (!known.verbs.includes(verb)) known.verbs.push(verb)
  }
  const rules = new Map<string, { apiGroups: string[]; resources: string[]; verbs: string[] }>()
  for (const { group, resource, verbs } of verbsOf.values()) {
    const key = `${group} ${[...verbs].sort().join()}`
    const rule = rules.get(key)
    if (rule === undefined) rules.set(key, { apiGroups: [group], resources: [resource], verbs })
    else rule.resources.push(resource)
  }
  return [...rules.values()]
}

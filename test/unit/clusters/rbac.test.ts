import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { rbacFor } from '../../../main/clusters/cluster-test.ts'
import {
  accessQuestionsOf,
  cephAccessQuestions,
  controllerAccessQuestions,
  maintenanceAccessQuestions,
  maintenanceApiAccessQuestions,
  osdAccessQuestions,
} from '../../../main/procedures/steps/general/access-questions.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import type { AccessQuestion } from '../../../shared/domain/kubernetes.ts'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'

const Role = z.object({
  kind: z.enum(['ClusterRole', 'Role']),
  metadata: z.object({ name: z.string(), namespace: z.string().optional() }),
  rules: z.array(
    z.strictObject({ apiGroups: z.array(z.string()), resources: z.array(z.string()), verbs: z.array(z.string()) }),
  ),
})
const Binding = z.object({
  kind: z.enum(['ClusterRoleBinding', 'RoleBinding']),
  metadata: z.object({ name: z.string(), namespace: z.string().optional() }),
  roleRef: z.object({ kind: z.string(), name: z.string() }),
  subjects: z.array(z.object({ kind: z.string(), name: z.string(), apiGroup: z.string() })),
})

/** Every single permission a manifest grants, as `namespace|group|resource|verb`; roles that nobody is bound to grant nothing. */
function granted(manifest: string): readonly string[] {
  const documents = parseAllDocuments(manifest).map(document => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
  const roles = documents.flatMap(each => Role.safeParse(each).data ?? [])
  const bindings = documents.flatMap(each => Binding.safeParse(each).data ?? [])
  expect(roles.length + bindings.length).toBe(documents.length)
  return roles
    .filter(role =>
      bindings.some(
        binding =>
          binding.roleRef.kind === role.kind &&
          binding.roleRef.name === role.metadata.name &&
          binding.metadata.namespace === role.metadata.namespace &&
          binding.subjects.length > 0,
      ),
    )
    .flatMap(role =>
      role.rules.flatMap(rule =>
        rule.apiGroups.flatMap(group =>
          rule.resources.flatMap(resource =>
            rule.verbs.map(verb => `${role.metadata.namespace ?? '*'}|${group}|${resource}|${verb}`),
          ),
        ),
      ),
    )
    .sort()
}

function wanted(questions: readonly AccessQuestion[]): readonly string[] {
  return questions
    .map(({ namespace, group, resource, subresource, verb }) => {
      const what = subresource === undefined ? resource : `${resource}/${subresource}`
      return `${namespace ?? '*'}|${group}|${what}|${verb}`
    })
    .sort()
}

function shipped(name: string): string {
  return readFileSync(new URL(`../../../resources/rbac/${name}`, import.meta.url), 'utf8')
}

describe('resources/rbac', () => {
  const plans = [
    ...maintenanceAccessQuestions('default'),
    ...maintenanceApiAccessQuestions(),
    // Never asked for before a plan, and welcome: volumes tell which evicted pods wait for the node, the list of Leases who works on which node,
    // events what Kubernetes reported about one. test/integration/api/rights.test.ts holds them equal to what is asked of the clouds.
    { group: '', resource: 'persistentvolumes', verb: 'list' },
    { group: '', resource: 'events', verb: 'list' },
    // Maintenance of a node by others.
    { group: 'nodemaintenance.medik8s.io', resource: 'nodemaintenances', verb: 'list' },
    { group: 'cluster.x-k8s.io', resource: 'machines', verb: 'list' },
    { group: 'metal3.io', resource: 'baremetalhosts', verb: 'list' },
    ...['list', 'watch'].map(verb => ({
      group: 'coordination.k8s.io',
      resource: 'leases',
      namespace: 'default',
      verb,
    })),
  ]

  test('the operator manifest grants exactly what is asked before a plan runs, and what it looks at where it may', () => {
    expect(granted(shipped('lockkeeper-operator.yaml'))).toEqual(wanted(plans))
  })

  test('the viewer manifest grants the reading part of it and nothing else', () => {
    const reading = plans.filter(({ verb }) => ['get', 'list', 'watch'].includes(verb))
    expect(granted(shipped('lockkeeper-viewer.yaml'))).toEqual(wanted(reading))
  })

  test('only the controllers manifest lets anybody write a lock', () => {
    expect(granted(shipped('lockkeeper-controllers.yaml'))).toEqual(wanted(controllerAccessQuestions('default')))
    const writing = wanted(plans).filter(each => /workloadlocks/.test(each) && !/[|](get|list|watch)$/.test(each))
    expect(writing).toEqual([])
  })

  test("only the Ceph manifest lets anybody into a pod, and only in the toolbox's namespace", () => {
    expect(granted(shipped('lockkeeper-ceph.yaml'))).toEqual(
      wanted([...cephAccessQuestions('rook-ceph'), ...osdAccessQuestions('rook-ceph')]),
    )
  })
})

describe('what is asked of a cluster', () => {
  const cluster = (change: Partial<Cluster>) => ({
    flavour: 'mosk' as const,
    leaseNamespace: 'default',
    maintenanceApi: DEFAULT_MAINTENANCE_API,
    roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
    ...change,
  })
  const api = (ceph: 'cluster' | 'none', openstack: 'cluster' | 'console' = 'cluster') => ({
    ...DEFAULT_MAINTENANCE_API,
    controllers: { openstack, ceph, tungstenfabric: 'none' as const, stacklight: 'none' as const },
  })

  test('flavour plain is not asked about an API it does not have', () => {
    expect(accessQuestionsOf(cluster({ flavour: 'plain' }))).toEqual(maintenanceAccessQuestions('default'))
  })

  test('a plain cloud with Ceph is asked about its toolbox, and about OSDs only for a plan that stops them', () => {
    const roleMaintenance = { ...DEFAULT_ROLE_MAINTENANCE, ceph: 'toolbox' as const }
    const plain = cluster({ flavour: 'plain', roleMaintenance })
    const usual = [...maintenanceAccessQuestions('default'), ...cephAccessQuestions('rook-ceph')]
    expect(accessQuestionsOf(plain)).toEqual(usual)
    expect(accessQuestionsOf(plain, { stopOsds: true })).toEqual([...usual, ...osdAccessQuestions('rook-ceph')])
  })

  test('flavour mosk is asked about requests, never about writing locks that the cluster itself writes', () => {
    const asked = wanted(accessQuestionsOf(cluster({ maintenanceApi: api('none') })))
    expect(asked).toEqual(wanted([...maintenanceAccessQuestions('default'), ...maintenanceApiAccessQuestions()]))
  })

  test('where this console runs controllers it is asked about all they write, each question once', () => {
    const asked = wanted(accessQuestionsOf(cluster({ maintenanceApi: api('cluster', 'console') })))
    expect(asked).toEqual(expect.arrayContaining([...wanted(controllerAccessQuestions('default'))]))
    expect(asked).toEqual(expect.arrayContaining([...wanted(cephAccessQuestions('rook-ceph'))]))
    expect(new Set(asked).size).toBe(asked.length)
  })
})

describe('the manifest of what is missing', () => {
  const subject = { kind: 'User', name: 'alice' } as const

  test('grants exactly the questions, whatever they are', () => {
    const question: fc.Arbitrary<AccessQuestion> = fc.record(
      {
        verb: fc.constantFrom('get', 'list', 'watch', 'patch', 'create'),
        group: fc.constantFrom('', 'apps', 'policy'),
        resource: fc.constantFrom('nodes', 'pods', 'leases'),
        subresource: fc.constantFrom('eviction', 'status'),
        namespace: fc.constantFrom('default', 'kube-system'),
      },
      { requiredKeys: ['verb', 'group', 'resource'] },
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(question, { minLength: 1, selector: each => JSON.stringify(wanted([each])) }),
        questions => {
          expect(granted(rbacFor(questions, subject))).toEqual(wanted(questions))
        },
      ),
    )
  })

  test('keeps rules few: one for resources of a group that need the same verbs', () => {
    const manifest = rbacFor(maintenanceAccessQuestions('default'), subject)
    expect(manifest.match(/apiGroups:/g)).toHaveLength(6)
  })

  test('cannot be bent by a strange name', () => {
    const strange = 'x\n---\nkind: ClusterRoleBinding: "cluster-admin"'
    const bindings = parseAllDocuments(
      rbacFor([{ verb: 'get', group: '', resource: 'nodes' }], { kind: 'User', name: strange }),
    )
      .map(document => Binding.safeParse(document.toJS()).data)
      .filter(binding => binding !== undefined)
    expect(bindings).toHaveLength(1)
    expect(bindings[0]?.subjects[0]?.name).toBe(strange)
  })
})

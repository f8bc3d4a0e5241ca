import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { rbacFor } from '../../../main/clusters/rbac.ts'
import { maintenanceAccessQuestions } from '../../../main/maintenance/access-questions.ts'
import type { AccessQuestion } from '../../../shared/domain/kubernetes.ts'

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
  test('the operator manifest grants exactly what is asked before a plan runs', () => {
    expect(granted(shipped('lockkeeper-operator.yaml'))).toEqual(wanted(maintenanceAccessQuestions('default')))
  })

  test('the viewer manifest grants the reading part of it and nothing else', () => {
    const reading = maintenanceAccessQuestions('default').filter(({ verb }) => ['get', 'list', 'watch'].includes(verb))
    expect(granted(shipped('lockkeeper-viewer.yaml'))).toEqual(wanted(reading))
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

import type {
  V1MatchResources,
  V1NamedRuleWithOperations,
  V1ValidatingAdmissionPolicy,
  V1ValidatingAdmissionPolicyBinding,
} from '@kubernetes/client-node'
import { RUNNER_GROUP, RUNNER_VERSION } from '../../../../shared/domain/maintenance-run.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { PROOFS, policyName } from '../../../../shared/wings/runner/domain/admission-proofs.ts'
import type { KubernetesObject } from '../../../adapters/kubernetes/answers.ts'
import { listIn, objectIn, objectsIn, textIn, textsIn } from '../../../adapters/kubernetes/fields.ts'
import type { Fields, NameOfKind } from '../../../adapters/kubernetes/model-fields.ts'
import { findObject } from '../../../adapters/kubernetes/objects.ts'
import { readMetadata, readWriters } from '../../../adapters/kubernetes/read-metadata.ts'
import { ADMISSION_BINDINGS, ADMISSION_POLICIES } from '../../../adapters/kubernetes/resource-types.ts'
import type { KubernetesSession } from '../../../adapters/kubernetes/session.ts'

/** Since when the API server refuses a run with a forged author (ISO): both policies and bindings exist without exceptions. Null if it does not (before 1.30 it cannot). */
export async function provesUsersSince(
  session: KubernetesSession,
  signal?: AbortSignal,
): Promise<Result<string | null>> {
  const since: string[] = []
  for (const proof of PROOFS) {
    const name = policyName(proof)
    const policy = await findObject(
      session,
      { type: ADMISSION_POLICIES, namespace: null, name },
      object => (refusesForgedAuthors(object, proof) ? lastWritten(object) : null),
      signal,
    )
    if (!policy.ok || policy.value === null) return policy.ok ? ok(null) : policy
    const binding = await findObject(
      session,
      { type: ADMISSION_BINDINGS, namespace: null, name },
      object => (isBound(object, name) ? lastWritten(object) : null),
      signal,
    )
    if (!binding.ok || binding.value === null) return binding.ok ? ok(null) : binding
    since.push(policy.value, binding.value)
  }
  return ok(since.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null)
}

/** When it was created or last changed; before that it may have differed. */
function lastWritten(object: Pick<KubernetesObject, 'metadata'>): string | null {
  const made = readMetadata(object).createdAt
  const [last] = readWriters(object).filter(({ subresource }) => subresource === null)
  if (made === '' || last === undefined) return made === '' ? null : made
  return Date.parse(last.at) > Date.parse(made) ? last.at : made
}

function refusesForgedAuthors(
  policy: KubernetesObject<V1ValidatingAdmissionPolicy>,
  { plural, validations }: (typeof PROOFS)[number],
): boolean {
  const spec = objectIn(policy, 'spec')
  const matched = objectIn(spec, 'matchConstraints')
  const has = (
    rule: Fields<V1NamedRuleWithOperations>,
    field: NameOfKind<V1NamedRuleWithOperations, 'list'>,
    value: string,
  ) => {
    const values = textsIn(rule, field)
    return values.includes(value) || values.includes('*')
  }
  return (
    textIn(spec, 'failurePolicy') !== 'Ignore' &&
    isEmpty(objectIn(spec, 'paramKind')) &&
    listIn(spec, 'matchConditions').length === 0 &&
    listIn(matched, 'excludeResourceRules').length === 0 &&
    selectsAll(matched) &&
    objectsIn(matched, 'resourceRules').some(
      rule =>
        has(rule, 'apiGroups', RUNNER_GROUP) &&
        has(rule, 'apiVersions', RUNNER_VERSION) &&
        has(rule, 'operations', 'CREATE') &&
        has(rule, 'operations', 'UPDATE') &&
        has(rule, 'resources', plural) &&
        textIn(rule, 'scope') !== 'Cluster' &&
        textsIn(rule, 'resourceNames').length === 0,
    ) &&
    validations.every(({ expression }) =>
      objectsIn(spec, 'validations').some(validation => textIn(validation, 'expression') === expression),
    )
  )
}

function isBound(binding: KubernetesObject<V1ValidatingAdmissionPolicyBinding>, policy: string): boolean {
  const spec = objectIn(binding, 'spec')
  const narrowed = objectIn(spec, 'matchResources')
  return (
    textIn(spec, 'policyName') === policy &&
    textsIn(spec, 'validationActions').includes('Deny') &&
    isEmpty(objectIn(spec, 'paramRef')) &&
    listIn(narrowed, 'resourceRules').length === 0 &&
    listIn(narrowed, 'excludeResourceRules').length === 0 &&
    selectsAll(narrowed)
  )
}

function selectsAll(matched: Fields<V1MatchResources>): boolean {
  return isEmpty(objectIn(matched, 'namespaceSelector')) && isEmpty(objectIn(matched, 'objectSelector'))
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0
}

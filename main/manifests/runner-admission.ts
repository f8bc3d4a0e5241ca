import { RUNNER_GROUP, RUNNER_VERSION } from '../../shared/domain/maintenance-run.ts'
import type { Manifest } from './manifest.ts'

/** One of the runner's kinds, and the field in which its maker says who they are. */
interface Proof {
  readonly plural: string
  readonly field: 'confirmedBy' | 'by'
  /** What the API server has to find true (CEL). */
  readonly expression: string
}

/**
 * What admission proves of the runner's objects (ValidatingAdmissionPolicy, Kubernetes 1.30 and later): that who says to have confirmed is who asks the API
 * server, and that nobody changes it afterwards, even where the definition has no rules.
 */
export const PROOFS: readonly Proof[] = [
  proof('maintenanceruns', 'confirmedBy'),
  proof('maintenancecampaigns', 'confirmedBy'),
  proof('maintenanceruncontrols', 'by'),
]

/** The name of a policy and of its binding. */
export function policyName({ plural }: Pick<Proof, 'plural'>): string {
  return `${plural}.${RUNNER_GROUP}`
}

/** The names of the policies and of their bindings. */
export function admissionNames(): readonly string[] {
  return PROOFS.map(policyName)
}

/** The policies and their bindings, as they are installed: for the whole cluster, since it is who asks that counts and not where. */
export function admissionManifests(): readonly Manifest[] {
  return PROOFS.flatMap(({ plural, field, expression }) => [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: policyName({ plural }) },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: [RUNNER_GROUP],
              apiVersions: [RUNNER_VERSION],
              operations: ['CREATE', 'UPDATE'],
              resources: [plural],
            },
          ],
        },
        validations: [
          {
            expression,
            messageExpression: `"spec.${field} has to be who asks, " + request.userInfo.username + ", and spec is never changed"`,
          },
        ],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: policyName({ plural }) },
      spec: { policyName: policyName({ plural }), validationActions: ['Deny'] },
    },
  ])
}

function proof(plural: string, field: Proof['field']): Proof {
  const isTheirs = `object.spec.${field} == request.userInfo.username`
  return {
    plural,
    field,
    expression: `request.operation == "CREATE" ? ${isTheirs} : object.spec == oldObject.spec`,
  }
}

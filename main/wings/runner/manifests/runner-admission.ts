import { RUNNER_GROUP, RUNNER_VERSION } from '../../../../shared/domain/maintenance-run.ts'
import { PROOFS, policyName } from '../../../../shared/wings/runner/domain/admission-proofs.ts'
import type { Manifest } from './manifest.ts'

export function admissionNames(): readonly string[] {
  return PROOFS.map(policyName)
}

/** The policies and their bindings, as they are installed: for the whole cluster, since it is who asks that counts and not where. */
export function admissionManifests(): readonly Manifest[] {
  return PROOFS.flatMap(({ plural, validations }) => [
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
        validations,
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

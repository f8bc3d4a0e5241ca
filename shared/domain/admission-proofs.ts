import { RUNNER_GROUP } from './maintenance-run.ts'

/** A kind of the runner's objects, and the field that names its author. */
interface Proof {
  readonly plural: string
  readonly field: 'confirmedBy' | 'by'
  /** CEL rules of the API server, each with the message that it shows when the rule fails. */
  readonly validations: readonly {
    readonly expression: string
    readonly message?: string
    readonly messageExpression?: string
  }[]
}

/** Operators who hand a run over may also create its controls. */
const HANDED_OVER_BY_STEERERS = {
  expression: `request.operation != "CREATE" || !has(object.spec.handedOver) || authorizer.group("${RUNNER_GROUP}").resource("maintenanceruncontrols").namespace(request.namespace).check("create").allowed()`,
  message:
    'handing a run over needs the right to create maintenanceruncontrols in this namespace (role lockkeeper-steerer)',
} as const

/** Admission enforces that the confirming operator is the user who asks, forever (ValidatingAdmissionPolicy, Kubernetes 1.30 and later). */
export const PROOFS: readonly Proof[] = [
  proof('maintenanceruns', 'confirmedBy', HANDED_OVER_BY_STEERERS),
  proof('maintenancecampaigns', 'confirmedBy'),
  proof('maintenanceruncontrols', 'by'),
]

export function policyName({ plural }: Pick<Proof, 'plural'>): string {
  return `${plural}.${RUNNER_GROUP}`
}

function proof(plural: string, field: Proof['field'], ...more: Proof['validations']): Proof {
  const isTheirs = `object.spec.${field} == request.userInfo.username`
  return {
    plural,
    field,
    validations: [
      {
        expression: `request.operation == "CREATE" ? ${isTheirs} : object.spec == oldObject.spec`,
        messageExpression: `"spec.${field} must be the requesting user (" + request.userInfo.username + "), and spec cannot change"`,
      },
      ...more,
    ],
  }
}

import { RUNNER_GROUP } from './maintenance-run.ts'

/** One of the runner's kinds, and the field in which its maker says who they are. */
interface Proof {
  readonly plural: string
  readonly field: 'confirmedBy' | 'by'
  /** What the API server has to find true (CEL), and what it says else: a text, or an expression that makes one. */
  readonly validations: readonly {
    readonly expression: string
    readonly message?: string
    readonly messageExpression?: string
  }[]
}

/** Of a run that is handed over: who does that may make its controls, too. */
const HANDED_OVER_BY_STEERERS = {
  expression: `request.operation != "CREATE" || !has(object.spec.handedOver) || authorizer.group("${RUNNER_GROUP}").resource("maintenanceruncontrols").namespace(request.namespace).check("create").allowed()`,
  message:
    'to hand a run over is to say what was answered in it, so it takes the right to create maintenanceruncontrols here (role lockkeeper-steerer)',
} as const

/**
 * What admission proves of the runner's objects (ValidatingAdmissionPolicy, Kubernetes 1.30 and later): that who says to have confirmed is who asks the API
 * server, and that nobody changes it afterwards, even where the definition has no rules. Who hands a run over says what was answered and passed in it: that is
 * the right to steer one.
 */
export const PROOFS: readonly Proof[] = [
  proof('maintenanceruns', 'confirmedBy', HANDED_OVER_BY_STEERERS),
  proof('maintenancecampaigns', 'confirmedBy'),
  proof('maintenanceruncontrols', 'by'),
]

/** The name of a policy and of its binding. */
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
        messageExpression: `"spec.${field} has to be who asks, " + request.userInfo.username + ", and spec is never changed"`,
      },
      ...more,
    ],
  }
}

import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'
import type { OpenStackSeed } from '../openstack/seed.ts'
import { demoPlainKubernetes } from './demo-plain-kubernetes.ts'
import { demoPlainOpenStack } from './demo-plain-openstack.ts'

/** What an embedded cloud starts from: the two sides name the same nodes. */
export interface Scenario {
  readonly name: string
  readonly kubernetes: readonly KubernetesObject[]
  readonly openstack: OpenStackSeed
}

/**
 * A cloud of Kubernetes and OpenStack without maintenance controllers of its own: 3 control, 8 compute (two zones) and 3 storage
 * nodes, about 60 instances. cmp-01 can be entered as it is.
 */
export function demoPlain(): Scenario {
  return { name: 'demo-plain', kubernetes: demoPlainKubernetes(), openstack: demoPlainOpenStack() }
}

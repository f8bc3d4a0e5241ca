/** Where runners live: a namespace of the Kubernetes of a registered cluster. */
export interface RunnerPlace {
  /** The registered cluster by whose API server it is reached. */
  readonly by: string
  readonly namespace: string
}

/** One runner: its pod. */
export interface RunnerPod extends RunnerPlace {
  readonly name: string
}

/** Where a runner is looked for unless told: as `lockkeeper runner manifests` installs it. */
export const RUNNER_NAMESPACE = 'lockkeeper'

/** The pods of a StatefulSet count from 0; who may attach may ask for each by its name, and need not list any. */
export function podName(index: number): string {
  return `lockkeeper-runner-${index}`
}

/** How many pods are looked for at most. */
export const MOST_PODS = 32

/** Whether runners of both live side by side, and share their objects. */
export function isSamePlace(one: RunnerPlace, other: RunnerPlace): boolean {
  return one.by === other.by && one.namespace === other.namespace
}

/** What tells one runner of this console from another. */
export function keyOf({ by, namespace, name }: RunnerPod): string {
  return `${by}/${namespace}/${name}`
}

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

/** The default namespace of runners, as `lockkeeper runner manifests` installs them. */
export const RUNNER_NAMESPACE = 'lockkeeper'

/** The pods of a StatefulSet count from 0. The attach role allows reading each by its name, not listing them. */
export function podName(index: number): string {
  return `lockkeeper-runner-${index}`
}

/** The most pods that a console searches for. */
export const MOST_PODS = 32

/** Whether runners of both share a namespace, and so their objects. */
export function isSamePlace(one: RunnerPlace, other: RunnerPlace): boolean {
  return one.by === other.by && one.namespace === other.namespace
}

/** Unique among the runners of this console. */
export function podKey({ by, namespace, name }: RunnerPod): string {
  return `${by}/${namespace}/${name}`
}

import type { TooLarge } from '../domain/maintenance-run.ts'

/** Why etcd would not take a MaintenanceRun, and what to do. */
export function tooLargeWords({ code, bytes, most }: TooLarge): string {
  const megabytes = (of: number) => (of / 1_000_000).toFixed(1)
  const [what, next] =
    code === 'PlanTooLarge'
      ? ['The plan needs', 'Plan fewer nodes at once, or run it here.']
      : ['The plan and the story of its run need', 'Let it go on here.']
  return `${what} ${megabytes(bytes)} MB in the cluster, and etcd keeps no object larger than 1.5 MB (${megabytes(most)} MB of it are for them). ${next}`
}

import type { TooLarge } from '../../../domain/maintenance-run.ts'

/** Why a MaintenanceRun is too large for etcd, and the remedy. */
export function tooLargeWords({ code, bytes, most }: TooLarge): string {
  const megabytes = (of: number) => (of / 1_000_000).toFixed(1)
  const [what, next] =
    code === 'PlanTooLarge'
      ? ['The plan needs', 'Plan fewer nodes at a time, or run it here.']
      : ['The plan and the history of its run need', 'Let it continue here.']
  return `${what} ${megabytes(bytes)} MB in the cloud, but etcd stores no object larger than 1.5 MB (${megabytes(most)} MB of it are available for them). ${next}`
}

import type { LeaseHolder } from '../../../shared/domain/kubernetes.ts'

/** Who runs the controllers, for people: `root on bastion-1 since 10:40 UTC of 2026-11-21`. */
export function holderWords({ operator, identity, machine, since }: LeaseHolder): string {
  const when = since === null ? 'an unknown time' : `${since.slice(11, 16)} UTC of ${since.slice(0, 10)}`
  return `${operator ?? identity} on ${machine ?? 'another machine'} since ${when}`
}

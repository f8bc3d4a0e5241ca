import type { Login } from '../../../shared/words/reasons/openstack-policy.ts'

export function loginOf({
  userName: user,
  projectName: project,
}: {
  readonly userName: string
  readonly projectName: string | null
}): Login {
  return { kind: 'user', user, ...(project === null ? {} : { project }) }
}

import { type Disabler, disablerOf } from '../domain/disabled-reason.ts'

const WHO: Readonly<Record<Disabler, string>> = {
  lockkeeper: 'Lockkeeper',
  nova: 'nova-compute itself',
  watcher: 'Watcher',
  'openstack-controller': 'the OpenStack Controller',
  masakari: 'Masakari',
  person: 'somebody else',
}

/** Who disabled a compute service, by its reason: `Masakari`, or `somebody else` where no program writes that. */
export function disablerWords(reason: string | null): string {
  return WHO[disablerOf(reason)]
}

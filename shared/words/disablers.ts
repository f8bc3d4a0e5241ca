import { type Disabler, disablerOf } from '../domain/disabled-reason.ts'

const WHO: Readonly<Record<Disabler, string>> = {
  lockkeeper: 'Lockkeeper',
  nova: 'nova-compute itself',
  watcher: 'Watcher',
  'openstack-controller': 'the OpenStack Controller',
  masakari: 'Masakari',
  person: 'someone else',
}

/** The program that disabled a compute service, by its reason: `Masakari`, or `someone else` if no known program writes it. */
export function disablerWords(reason: string | null): string {
  return WHO[disablerOf(reason)]
}

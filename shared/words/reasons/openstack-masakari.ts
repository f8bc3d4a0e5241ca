import type { OfHost, TextsOf } from '../steps/coded.ts'

export const OPENSTACK_MASAKARI_REASONS = {
  MasakariInCatalogue: () => 'The catalogue has Masakari; Lockkeeper sets on_maintenance there.',
  MasakariUntold: () =>
    'Without it Masakari may take a reboot for a failure and restart instances elsewhere: use credentials with the needed role, or widen the rule.',
  MasakariUnprobed: () => 'Is masakari-api running? A plan warns if Lockkeeper cannot set on_maintenance there.',

  // Why an answer is invalid.
  HostsOfOtherSegment: () => 'hosts of another segment',
  FailoverHostNotAsAsked: () => 'another host or on_maintenance than requested',
  NotificationsOfOthers: () => 'notifications of another host or status',
} satisfies TextsOf<string>

/** Requests to Masakari. */
export const OPENSTACK_MASAKARI_CALLS = {
  ListFailoverSegments: () => "list Masakari's failover segments",
  ListFailoverHosts: ({ segment }: { readonly segment: string }) => `list the hosts of Masakari's segment ${segment}`,
  SetOnMaintenance: ({ host }: OfHost) => `set on_maintenance of ${host} in Masakari`,
  SetOnMaintenanceOfAny: () => 'set on_maintenance of a host in Masakari',
  ClearOnMaintenance: ({ host }: OfHost) => `clear on_maintenance of ${host} in Masakari`,
  ListRecoveries: ({ host }: OfHost) => `list Masakari's recoveries of ${host}`,
} satisfies TextsOf<string>

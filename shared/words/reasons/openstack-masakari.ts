import type { OfHost, TextsOf } from '../steps/coded.ts'

/** Texts of Masakari. */
export const OPENSTACK_MASAKARI_REASONS = {
  MasakariInCatalogue: () => 'The catalogue has Masakari, which is told of maintenances.',
  MasakariUntold: () =>
    'Without it Masakari may take a reboot for a failure and restart instances elsewhere: use credentials with the needed role, or have the rule widened.',
  MasakariUnprobed: () => 'Is masakari-api running? A plan warns where Masakari cannot be told of a maintenance.',

  // Why an answer is not one to what was asked.
  HostsOfOtherSegment: () => 'hosts of another segment',
  FailoverHostNotAsAsked: () => 'another host, or another on_maintenance, than asked for',
  NotificationsOfOthers: () => 'notifications of another host or status',
} satisfies TextsOf<string>

/** What is asked of Masakari. */
export const OPENSTACK_MASAKARI_CALLS = {
  ListFailoverSegments: () => "list Masakari's failover segments",
  ListFailoverHosts: ({ segment }: { readonly segment: string }) => `list the hosts of Masakari's segment ${segment}`,
  SetOnMaintenance: ({ host }: OfHost) => `set on_maintenance of ${host} in Masakari`,
  SetOnMaintenanceOfAny: () => 'set on_maintenance of a host in Masakari',
  ClearOnMaintenance: ({ host }: OfHost) => `clear on_maintenance of ${host} in Masakari`,
  ListRecoveries: ({ host }: OfHost) => `list what Masakari does about ${host}`,
} satisfies TextsOf<string>

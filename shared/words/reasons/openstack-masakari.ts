import type { OfHost, TextsOf } from '../steps/coded.ts'

/** Texts of Masakari: why an answer is not one to what was asked. */
export const OPENSTACK_MASAKARI_REASONS = {
  HostsOfOtherSegment: () => 'hosts of another segment',
  FailoverHostNotAsAsked: () => 'another host, or another on_maintenance, than asked for',
  NotificationsOfOthers: () => 'notifications of another host or status',
} satisfies TextsOf<string>

/** What is asked of Masakari. */
export const OPENSTACK_MASAKARI_CALLS = {
  ListFailoverSegments: () => "list Masakari's failover segments",
  ListFailoverHosts: ({ segment }: { readonly segment: string }) => `list the hosts of Masakari's segment ${segment}`,
  SetOnMaintenance: ({ host }: OfHost) => `set on_maintenance of ${host} in Masakari`,
  ClearOnMaintenance: ({ host }: OfHost) => `clear on_maintenance of ${host} in Masakari`,
  ListRecoveries: ({ host }: OfHost) => `list what Masakari does about ${host}`,
} satisfies TextsOf<string>

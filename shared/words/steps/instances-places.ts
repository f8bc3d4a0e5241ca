import { listed } from '../../grammar/counts.ts'
import { type Cause, type Names, someNames, type TextsOf } from './coded.ts'

/** The instances that a hint names; `host` and `name` are null if Nova shows no such id, and absent if not read. */
type Hinted = {
  readonly asked: readonly { readonly id: string; readonly name?: string | null; readonly host?: string | null }[]
}
type HintedHosts = Hinted & { readonly hosts: readonly string[] }

/** What is uncertain about the hosts that instances may go to. */
export const INSTANCES_PLACE_FINDINGS = {
  PlacesUnread: ({ cause }: Cause) => cause,
  PortsUnread: ({ cause }: Cause) => `${cause} Lockkeeper cannot tell what Nova refuses because of ports.`,
  VolumesUnread: ({ cause }: Cause) => `${cause} Lockkeeper cannot tell whether volumes are encrypted.`,
  VolumesUnlisted: ({ instances }: { readonly instances: Names }) =>
    `Cinder does not list every volume of ${someNames(instances)}: Lockkeeper cannot tell whether they are encrypted.`,
  SameHostUnread: (hint: Hinted) => `${sameHost(hint)}: Nova's SameHostFilter, if it is enabled, rules out hosts.`,
  SameHostNowhere: (hint: Hinted) =>
    `${sameHost(hint)}: if Nova's SameHostFilter is enabled, it has nowhere to go. Nova does not show whether the filter is enabled.`,
  SameHostOnly: ({ hosts, ...hint }: HintedHosts) =>
    `${sameHost(hint)}: if Nova's SameHostFilter is enabled, only ${hosts.join(', ')} can take it. Nova does not show whether the filter is enabled.`,
  OtherHostUnread: (hint: Hinted) =>
    `${otherHost(hint)}: Nova's DifferentHostFilter, if it is enabled, may rule out hosts.`,
  OtherHostNowhere: (hint: Hinted) =>
    `${otherHost(hint)}: if Nova's DifferentHostFilter is enabled, it has nowhere to go. Nova does not show whether the filter is enabled.`,
  OtherHostNot: ({ hosts, ...hint }: HintedHosts) =>
    `${otherHost(hint)}: if Nova's DifferentHostFilter is enabled, ${hosts.join(', ')} cannot take it. Nova does not show whether the filter is enabled.`,
} satisfies TextsOf<string>

function sameHost(hint: Hinted): string {
  return `Its owner asked for the node of ${whoAndWhere(hint)}`
}

function otherHost(hint: Hinted): string {
  return `Its owner asked for a node other than that of ${whoAndWhere(hint)}`
}

function whoAndWhere({ asked }: Hinted): string {
  return listed(
    asked.map(({ id, name, host }) => {
      if (name === undefined) return `${id} (not read)`
      return name === null ? `${id} (Nova shows no such instance)` : `${name} (${host ?? 'on no node'})`
    }),
  )
}

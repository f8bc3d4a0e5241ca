import { listed } from '../../grammar/counts.ts'
import { type Cause, type Names, someNames, type TextsOf } from './coded.ts'

/** The instances that a hint names; `host` and `name` are null where Nova shows none of that id, and absent where it was not read. */
type Hinted = {
  readonly asked: readonly { readonly id: string; readonly name?: string | null; readonly host?: string | null }[]
}
type HintedHosts = Hinted & { readonly hosts: readonly string[] }

/** What makes the places that instances may go to less than certain. */
export const INSTANCES_PLACE_FINDINGS = {
  PlacesUnread: ({ cause }: Cause) => cause,
  PortsUnread: ({ cause }: Cause) => `${cause} What Nova refuses for ports is not judged.`,
  VolumesUnread: ({ cause }: Cause) => `${cause} Whether volumes are encrypted is not known.`,
  VolumesUnlisted: ({ instances }: { readonly instances: Names }) =>
    `Cinder does not list every volume of ${someNames(instances)}: whether they are encrypted is not known.`,
  SameHostUnread: (hint: Hinted) => `${sameHost(hint)}: Nova's SameHostFilter, if it is enabled, rules hosts out.`,
  SameHostNowhere: (hint: Hinted) =>
    `${sameHost(hint)}: if Nova's SameHostFilter is enabled, it has nowhere to go. Nova does not tell.`,
  SameHostOnly: ({ hosts, ...hint }: HintedHosts) =>
    `${sameHost(hint)}: if Nova's SameHostFilter is enabled, only ${hosts.join(', ')} can take it. Nova does not tell.`,
  OtherHostUnread: (hint: Hinted) =>
    `${otherHost(hint)}: Nova's DifferentHostFilter, if it is enabled, may rule hosts out.`,
  OtherHostNowhere: (hint: Hinted) =>
    `${otherHost(hint)}: if Nova's DifferentHostFilter is enabled, it has nowhere to go. Nova does not tell.`,
  OtherHostNot: ({ hosts, ...hint }: HintedHosts) =>
    `${otherHost(hint)}: if Nova's DifferentHostFilter is enabled, ${hosts.join(', ')} can not take it. Nova does not tell.`,
} satisfies TextsOf<string>

function sameHost(hint: Hinted): string {
  return `Its owner asked for the host of ${whoAndWhere(hint)}`
}

function otherHost(hint: Hinted): string {
  return `Its owner asked for another host than that of ${whoAndWhere(hint)}`
}

function whoAndWhere({ asked }: Hinted): string {
  return listed(
    asked.map(({ id, name, host }) => {
      if (name === undefined) return `${id} (not read)`
      return name === null ? `${id} (Nova shows none of that id)` : `${name} (${host ?? 'on no host'})`
    }),
  )
}

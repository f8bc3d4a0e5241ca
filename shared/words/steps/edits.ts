import type { Cause, FaultText, Finding, OfNode, TextsOf } from './coded.ts'

type Marked = { readonly name: string }
/** The two annotations of a host; null where it has none. */
type HostMode = { readonly mode: string | null; readonly attempts: string | null }

/** Why the mode of an instance or of a host did not change as requested. */
export const EDITS_FAULTS = {
  TagsNotTaken: ({
    id,
    name,
    status,
    vmState,
  }: Marked & { readonly id: string; readonly status: string; readonly vmState: string }) => ({
    message: `${name} takes no mode while it is in ${status}. Nova accepts tags only if the vm_state is active, paused, suspended or stopped, and here it is ${vmState}.`,
    remedy: `${
      vmState === 'error'
        ? `Fix it and reset its state (\`openstack server set --state active ${id}\`), then set its mode again`
        : 'Set its mode again when it is in one of these states'
    }; its mode is unchanged.`,
  }),
  TooManyTags: ({ name, why }: Marked & { readonly why: Finding }) => ({
    message: why.message,
    remedy: `Remove a tag that ${name} no longer needs, then set its mode again.`,
  }),
  TagsNotRead: ({ name }: Marked) => ({
    message: `The tags of ${name} cannot be read: its Nova cell does not answer.`,
    remedy: 'Nothing was changed; try again when the cell is back.',
  }),
  MarkNotReadBack: ({ name, cause }: Marked & Cause) => ({
    message: `The mode of ${name} was set, but Lockkeeper could not read it back: ${cause}`,
    remedy: '',
  }),
  MarkChangedByOthers: ({ name, actions }: Marked & { readonly actions: readonly string[] }) => ({
    message: `The mode of ${name} is ${actions.length === 0 ? 'not set' : actions.join(' and ')} now, not as requested: someone else changed its tags at the same moment.`,
    remedy: 'Check it and set it again.',
  }),
  ModeNotReadBack: ({ node, cause }: OfNode & Cause) => ({
    message: `The mode of ${node} was written, but Lockkeeper could not read it back: ${cause}`,
    remedy: '',
  }),
  ModeChangedByOthers: ({ node, ...mode }: OfNode & HostMode) => ({
    message: `${node} has ${hostModeWords(mode)} now, not the requested mode: someone else changed it at the same moment.`,
    remedy: 'Check it and set it again.',
  }),
} satisfies TextsOf<FaultText>

/** The annotations in short words: `mode live, attempts 3`. */
export function hostModeWords({ mode, attempts }: HostMode): string {
  return `mode ${mode ?? 'not set'}, attempts ${attempts ?? 'not set'}`
}

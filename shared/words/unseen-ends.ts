import type { CommandOfWork } from '../domain/command-of-work.ts'
import type { UnseenEnd } from '../domain/run-progress.ts'

/** How an operator inspects and ends a command that still runs; Lockkeeper never ends it. */
export function howToEnd({ machine, group }: Pick<CommandOfWork, 'machine' | 'group'>): string {
  return group === null
    ? `Look for its process on ${machine}: its number was not recorded.`
    : `On ${machine}, \`pgrep -a -g ${group}\` shows it, and \`kill -- -${group}\` ends it.`
}

/** Actions that continue after the end of a run, and how to find out their result. */
export function unseenEndWords(end: UnseenEnd): string {
  switch (end.code) {
    case 'MoveUnseen':
      return novaContinues(end, `move${end.from === null ? '' : ` off ${end.from}`}`)
    case 'StopUnseen':
      return novaContinues(end, 'stop')
    case 'CommandUnseen': {
      const { application } = end
      const [what, where] =
        application === null ? ['of the work', 'the node'] : [`that updates ${application}`, 'the cloud']
      const how = end.hasBegun
        ? `The command ${what} may still run and change ${where}: the run ended before it.`
        : `The run ended before it could see whether the command ${what} started. It may be running.`
      return `${how} ${howToEnd(end)}`
    }
  }
}

function novaContinues({ id, name }: { readonly id: string; readonly name: string }, asked: string): string {
  return `The run ended before the ${asked} of ${name} did, so Nova continues it. \`openstack server show ${id}\` shows where it is.`
}

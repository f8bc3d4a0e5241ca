import type { CommandOfWork } from '../domain/command-of-work.ts'
import type { UnseenEnd } from '../domain/run-progress.ts'

/** How an operator looks at a command that goes on, and ends it: Lockkeeper never does. */
export function howToEnd({ machine, group }: Pick<CommandOfWork, 'machine' | 'group'>): string {
  return group === null
    ? `Look for it on ${machine}: which process it is nobody noted.`
    : `On ${machine}, \`pgrep -a -g ${group}\` shows it, and \`kill -- -${group}\` ends it.`
}

/** What an end of a run leaves under way, and how an operator finds out what became of it. */
export function unseenEndWords(end: UnseenEnd): string {
  switch (end.code) {
    case 'MoveUnseen':
      return novaContinues(end, `move${end.from === null ? '' : ` off ${end.from}`}`)
    case 'StopUnseen':
      return novaContinues(end, 'stop')
    case 'CommandUnseen': {
      const { application } = end
      const [what, where] =
        application === null ? ['of the work', 'the node'] : [`that updates ${application}`, 'the cluster']
      const how = end.hasBegun
        ? `The command ${what} was not seen to end, and may go on with what it does to ${where}.`
        : `Whether the command ${what} was begun was not seen, and it may be under way.`
      return `${how} ${howToEnd(end)}`
    }
  }
}

function novaContinues({ id, name }: { readonly id: string; readonly name: string }, asked: string): string {
  return `${name} was asked to ${asked}, and its end was not seen: Nova goes on with it. \`openstack server show ${id}\` tells where it is.`
}

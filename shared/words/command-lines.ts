import type { NoCommandLine } from '../domain/command-work.ts'

/** Why a line cannot be a command of the work, and what to do. */
export function noCommandLineWords(why: NoCommandLine): string {
  switch (why.code) {
    case 'CommandEmpty':
      return 'The command is empty.'
    case 'CommandNotOneLine':
      return 'The command has more than one line, or characters that no screen shows. Put it into a script, and name the script.'
    case 'CommandTooLong':
      return `The command is longer than ${why.longest} characters. Put it into a script, and name the script.`
  }
}

import { basename, dirname } from 'node:path'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import { dataDirectoryPath } from '../../../clusters/data-directory-path.ts'
import type { FilePlaces } from '../../../clusters/file-places.ts'

/** What turns `lockkeeper` in a text into a command that works when pasted into this terminal: the program name and the data flags. */
export interface CommandsHere {
  /** The program's name as typed: `lockkeeper`, `bin/lockkeeper`. */
  readonly program: string
  /** Null means the default. */
  readonly dataDirectory: string | null
  /** Whether the commands need `--demo`. */
  readonly demo: boolean
  /** First words of Lockkeeper's commands: wrapped prose may also begin a line with `lockkeeper`. */
  readonly firstWords: readonly string[]
}

/** The commands of an installed Lockkeeper with the default data directory, as in all texts. */
export const USUAL_COMMANDS: CommandsHere = {
  program: 'lockkeeper',
  dataDirectory: null,
  demo: false,
  firstWords: [],
}

/** Reads them from the environment (bin/lockkeeper sets LOCKKEEPER_CALLED_AS), `--data-dir` and `--demo`. */
export function commandsHere(
  { dataDirectory: given, demo }: Pick<CommandsHere, 'dataDirectory' | 'demo'>,
  places: FilePlaces,
  firstWords: readonly string[],
): CommandsHere {
  const { environment } = places
  const usual = dataDirectoryPath(null, { ...places, environment: { ...environment, LOCKKEEPER_DATA_DIR: undefined } })
  const used = dataDirectoryPath(given, places)
  return {
    program: programTyped(environment.LOCKKEEPER_CALLED_AS ?? '', environment.PATH ?? ''),
    dataDirectory: used === usual ? null : used,
    demo,
    firstWords,
  }
}

function programTyped(calledAs: string, path: string): string {
  if (calledAs === '') return USUAL_COMMANDS.program
  // If the shell found the program on the PATH, LOCKKEEPER_CALLED_AS is its whole path.
  return shellWord(path.split(':').includes(dirname(calledAs)) ? basename(calledAs) : calledAs)
}

/** A Lockkeeper command in a text: in backquotes, or at the beginning of its line. Elsewhere `lockkeeper` may be a namespace or typed text. */
const ourCommand = (firstWords: readonly string[]) =>
  new RegExp(`(?<=\`|^\\s*)lockkeeper(?=\`| (?:--|(?:${firstWords.join('|')})\\b))(?<help>[^\`\\n]*--help\\b)?`, 'gm')

/** The text with commands as typed here. Help needs no data directory, so its commands name none. */
export function withCommandsHere(text: string, { program, dataDirectory, demo, firstWords }: CommandsHere): string {
  const data = dataDirectory === null ? '' : ` --data-dir ${shellWord(dataDirectory)}`
  const flags = `${data}${demo ? ' --demo' : ''}`
  return text.replace(ourCommand(firstWords), (command, help: string | undefined) =>
    help === undefined ? `${program}${flags}` : command.replace('lockkeeper', program),
  )
}

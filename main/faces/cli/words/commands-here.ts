import { basename, dirname } from 'node:path'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import { dataDirectoryPath } from '../../../clusters/data-directory.ts'
import type { FilePlaces } from '../../../clusters/file-places.ts'

/** What a printed command needs so that it does, pasted into this terminal, what it says: how we are called, and with which data. */
export interface CommandsHere {
  /** As it is typed here: `lockkeeper`, `bin/lockkeeper`. */
  readonly program: string
  /** Null: the one that is used when none is named. */
  readonly dataDirectory: string | null
  /** Whether they are about the embedded clouds, which are there with `--demo` alone. */
  readonly demo: boolean
  /** What our commands begin with: prose may begin a line with `lockkeeper` too, where it is wrapped. */
  readonly firstWords: readonly string[]
}

/** The commands of an installed Lockkeeper with its usual data directory: as they stand in all our sentences. */
export const USUAL_COMMANDS: CommandsHere = {
  program: 'lockkeeper',
  dataDirectory: null,
  demo: false,
  firstWords: [],
}

/** Tells it from the environment (bin/lockkeeper says in LOCKKEEPER_CALLED_AS how it was called), `--data-dir` and `--demo`. */
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
  // A shell that found it on the PATH hands over the whole path.
  return shellWord(path.split(':').includes(dirname(calledAs)) ? basename(calledAs) : calledAs)
}

/** A command of ours in a text: in backquotes, or at the beginning of its line. Elsewhere `lockkeeper` is a namespace, or what somebody typed. */
const ourCommand = (firstWords: readonly string[]) =>
  new RegExp(`(?<=\`|^\\s*)lockkeeper(?=\`| (?:--|(?:${firstWords.join('|')})\\b))(?<help>[^\`\\n]*--help\\b)?`, 'gm')

/** The text with our commands as they are typed here. Help reads and writes nothing, so it names no data directory. */
export function withCommandsHere(text: string, { program, dataDirectory, demo, firstWords }: CommandsHere): string {
  const data = dataDirectory === null ? '' : ` --data-dir ${shellWord(dataDirectory)}`
  const flags = `${data}${demo ? ' --demo' : ''}`
  return text.replace(ourCommand(firstWords), (command, help: string | undefined) =>
    help === undefined ? `${program}${flags}` : command.replace('lockkeeper', program),
  )
}

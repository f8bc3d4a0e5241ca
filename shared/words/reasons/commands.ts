import type { Finding, OfMachine, TextsOf } from '../steps/coded.ts'

/** `fault`: why it is unusable, a clause. */
type OfFault = { readonly fault: Finding }
type OfPath = OfFault & { readonly path: string }
type OfDirectory = { readonly directory: string }
type OfGroup = { readonly group: number }

const INTO_SCRIPT = 'Put it into a script, and name the script.'

/** Refusals and results of commands on this machine. */
export const COMMANDS_REASONS = {
  CommandBegunElsewhere: ({ machine }: OfMachine) =>
    `It was started on ${machine}, and this machine cannot see its processes.`,
  CommandBegunInOtherContainer: ({ machine }: OfMachine) =>
    `It was started in another container of ${machine}, and this one cannot see its processes.`,
  CommandEmpty: () => 'The command is empty.',
  CommandEndNoteTorn: ({ why }: { readonly why: Finding }) => `${why.message} The record of its end is incomplete.`,
  CommandFolderIsNone: ({ directory }: OfDirectory) => `${directory}, where the command should run, is not a folder.`,
  CommandFolderNotEntered: ({ directory, fault }: OfDirectory & OfFault) =>
    `${directory}, where the command should run, cannot be entered: ${fault.message}.`,
  CommandFolderNotWhole: ({ directory }: OfDirectory) =>
    `"${directory}" is not a full path to the folder for the command.`,
  CommandGroupGone: () => 'None of its processes runs any more.',
  CommandGroupHidden: ({ group }: OfGroup) => `A process of its group ${group} runs, but this user may not inspect it.`,
  CommandGroupNotNoted: () => 'Its process is unknown: the console ended just as the command started.',
  CommandGroupReused: ({ group }: OfGroup) => `Number ${group} now belongs to another process.`,
  CommandHasSecret: () =>
    'The command seems to contain a secret, which the journal would store. Put it into a script, or a file that the script reads.',
  CommandMachineRestarted: ({ machine }: OfMachine) => `${machine} has restarted since.`,
  CommandNameUnusable: ({ name }: { readonly name: string }) => `"${name}" is not a valid name for a command.`,
  CommandNotConfirmedHere: () =>
    'Nobody confirmed this command on this installation and machine for this run. Either the run came from another journal, the data directory was moved or copied, or the plan was changed.',
  CommandNotOneLine: () => `The command has more than one line, or invisible characters. ${INTO_SCRIPT}`,
  CommandNotStarted: ({ fault }: OfFault) => `The command did not start: ${fault.message}.`,
  CommandPlaceNotWritten: ({ path, fault }: OfPath) =>
    `The command did not start: ${path} cannot be written, ${fault.message}.`,
  CommandStandingNotRead: ({ path, fault }: OfPath) =>
    `Cannot read the state of the command in ${path}: ${fault.message}.`,
  CommandTooLong: ({ longest }: { readonly longest: number }) =>
    `The command is longer than ${longest} characters. ${INTO_SCRIPT}`,
  NoKeyForCommands: () => 'This installation has no key to recognise commands confirmed here: the log says why.',
  NoProcessForCommand: () => 'The command did not start: the system could not create a process.',
  NoShell: ({ shell }: { readonly shell: string }) => `This machine has no ${shell}, which runs commands.`,
  NothingWasStarted: ({ why }: { readonly why: Finding }) => `${why.message} Nothing was started.`,
  OnlyTerminalRunsCommands: () =>
    'The work is a command, which only a terminal can start. Plan the run at a terminal of the machine where the command should run, and keep it there until the command has started.',
} satisfies TextsOf<string>

import { homedir } from 'node:os'
import type { Contract } from '../../../shared/contract/index.ts'
import type { CommandSpec } from './arguments/argument-specs.ts'
import { globalFlags } from './arguments/global-flags.ts'
import { parseArguments } from './arguments/parse-arguments.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'
import { renderHelp } from './arguments/render-help.ts'
import type { CommandContext } from './command.ts'
import type { ExitCode } from './exit-code.ts'
import { createInterruptions } from './interruptions.ts'
import { createPrinter, type Printer } from './printer.ts'
import type { CliProcess } from './process-io.ts'
import type { Terminal } from './terminal.ts'
import { oneLine } from './words/clean-text.ts'
import { type CommandsHere, commandsHere, USUAL_COMMANDS } from './words/commands-here.ts'

/** The hidden word that starts this program to watch a command. */
export const KEEP = '__keep'

/** The hidden word that starts this program to copy another journal. */
export const READ_JOURNAL = '__read-journal'

/** Runs one command line and returns the exit code. Help and usage errors load nothing else. */
export async function runCli(words: readonly string[], terminal: Terminal, io: CliProcess): Promise<ExitCode> {
  // Hidden: shell completion calls it at every Tab.
  if (words[0] === '__complete') {
    await (await import('./complete/complete.ts')).complete(words.slice(1), terminal, io)
    return 0
  }
  // A console starts this beside an operator's command (main/adapters/commands).
  const [word, place, to] = words
  if (word === KEEP && place !== undefined) {
    await io.keepCommand(place)
    return 0
  }
  if (word === READ_JOURNAL && place !== undefined && to !== undefined) {
    io.out.write(`${JSON.stringify(await io.copyForeign(place, to))}\n`)
    return 0
  }
  const request = parseArguments(words, terminal.commands, globalFlags)
  const colourless = words.includes('--no-color')
  switch (request.kind) {
    case 'help': {
      const look = { json: false, verbose: false, noColor: colourless }
      const printer = createPrinter(io, look, USUAL_COMMANDS)
      printer.say(...renderHelp(request.path, terminal.commands))
      return 0
    }
    case 'version': {
      const [{ LOCKKEEPER_VERSION }, { BUILD_STAMP }] = await Promise.all([
        import('../../version.ts'),
        import('../../build-stamp.ts'),
      ])
      const build = BUILD_STAMP === null ? 'from sources' : `commit ${BUILD_STAMP.commit}, ${BUILD_STAMP.at}`
      io.out.write(`lockkeeper ${LOCKKEEPER_VERSION} (${build})\n`)
      return 0
    }
    case 'no-command':
      // An operator at a terminal gets the welcome menu, a script the usage.
      return io.canAsk && io.out.isTTY && request.args.text('output') !== 'json'
        ? runCommand(WELCOME, request.args, terminal, io)
        : usageError(request.message, [], terminal, io, colourless)
    case 'usage-error':
      return usageError(request.message, request.path, terminal, io, colourless)
    case 'run':
      return runCommand(request.command, request.args, terminal, io)
  }
}

const WELCOME = {
  needs: 'nothing',
  load: async () => (await import('./welcome/welcome.ts')).welcome,
} as const satisfies Pick<CommandSpec, 'needs' | 'load'>

function usageError(
  message: string,
  path: readonly string[],
  terminal: Terminal,
  io: CliProcess,
  noColor: boolean,
): ExitCode {
  const printer = createPrinter(
    io,
    { json: false, verbose: false, noColor },
    printedCommands({ dataDirectory: null, demo: false }, terminal, io),
  )
  const about = ['lockkeeper', ...path, '--help'].join(' ')
  printer.warn(oneLine(message), `\`${about}\` explains its usage.`)
  return 2
}

async function runCommand(
  spec: Pick<CommandSpec, 'needs' | 'load'>,
  args: ParsedArguments,
  terminal: Terminal,
  io: CliProcess,
): Promise<ExitCode> {
  const look = {
    json: args.text('output') === 'json',
    verbose: args.isSet('verbose'),
    noColor: args.isSet('no-color'),
  }
  const printer = createPrinter(
    io,
    look,
    printedCommands({ dataDirectory: args.text('data-dir'), demo: args.isSet('demo') }, terminal, io),
  )
  const interruptions = createInterruptions(io)
  const givenUp = interruptions.unhandled.then((): ExitCode => {
    printer.warn('', 'Interrupted. This command started no run.')
    return 4
  })
  const closings: (() => Promise<void>)[] = []
  const base = {
    args,
    printer,
    io,
    interruptions,
    parts: terminal.parts,
    atEnd: (close: () => Promise<void>) => closings.push(close),
  }
  try {
    return await Promise.race([perform(spec, base), givenUp])
  } catch (error) {
    // Expected failures are values (style G36): an exception is a bug, printed without its stack.
    printer.warn(...(await bugLines(error, printer)))
    return 1
  } finally {
    interruptions.stop()
    for (const close of closings.toReversed()) {
      await close().catch(async error => printer.warn(...(await bugLines(error, printer))))
    }
  }
}

function printedCommands(
  given: Pick<CommandsHere, 'dataDirectory' | 'demo'>,
  { commands }: Terminal,
  { env, workDirectory }: CliProcess,
): CommandsHere {
  const places = { environment: env, home: homedir(), currentDirectory: workDirectory }
  return commandsHere(given, places, [...new Set(commands.flatMap(({ path }) => path.slice(0, 1)))])
}

async function perform(
  spec: Pick<CommandSpec, 'needs' | 'load'>,
  base: Omit<CommandContext, 'contract'>,
): Promise<ExitCode> {
  const command = await spec.load()
  if (spec.needs === 'nothing') return command({ ...base, contract: closedContract })
  const { openContract } = await import('./open-contract.ts')
  const demo = base.args.isSet('demo')
  const contract = await openContract(base, demo, base.args.text('data-dir'), spec.needs === 'reading')
  return contract === null ? 1 : command({ ...base, contract })
}

/** The contract of commands that need none. */
const closedContract: Contract = {
  ask: () => Promise.reject(new Error('Broken invariant: this command asked a contract its table entry does not need')),
  listen: () => () => {},
}

async function bugLines(error: unknown, printer: Printer): Promise<readonly string[]> {
  const { renderFailure } = await import('./render/render-failure.ts')
  return renderFailure(
    {
      code: 'internal',
      message: 'Lockkeeper stopped because of a bug. Its runs are shown as interrupted; you can resume them.',
      retryable: false,
      detail: whereOf(error),
    },
    printer.warningLook,
    printer.verbose,
  )
}

/** The kind and place of an error. Not its message: a raw error of a client may contain a private key. */
function whereOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something other than an Error was thrown'
  const place = /[\w.-]+\.(?:ts|mjs):\d+/.exec(
    error.stack?.split('\n').find(line => line.trimStart().startsWith('at ')) ?? '',
  )
  return place === null ? error.name : `${error.name} at ${place[0]}`
}

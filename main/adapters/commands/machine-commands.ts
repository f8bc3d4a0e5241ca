import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type NoCommandLine, whyNoCommandLine } from '../../../shared/domain/command-work.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { keptBack, mayBeSent } from '../../platform/clock/sent-while.ts'
import { fileFault } from '../../platform/files/file-words.ts'
import type { CommandPort, CommandStart, CommandState, CommandWish } from '../../ports/commands.ts'
import { type CommandFolder, commandFolder, makeFolder } from './command-folder.ts'
import { settleOutput } from './kept-output.ts'
import { readAvailable } from './output-pipe.ts'
import { beginningOf, type ProcessGroupState, stateOfGroup, type ThisMachine } from './process-group.ts'

interface CommandOptions {
  readonly directory: string
  readonly machine: ThisMachine
  /** The program and arguments of the keeper (keep-command.ts), followed by the command's folder; null if this process may not start commands. */
  readonly keeper: readonly string[] | null
  /** Whether this installation has a key to seal confirmations. */
  readonly canSeal: boolean
  readonly isSealed: (wish: CommandWish) => boolean
  readonly redact: (text: string) => string
  readonly holdsSecret: (text: string) => boolean
  readonly environment: Readonly<Record<string, string | undefined>>
}

export function createMachineCommands(options: CommandOptions): CommandPort {
  const { directory, machine, keeper, redact } = options
  const placeOf = (name: string) => (PLAIN_NAME.test(name) ? join(directory, name) : null)

  return {
    machine: machine.name,
    whyNot: work => whyNot(work, options),
    start: async (wish, reported) => {
      const place = placeOf(wish.name)
      if (place === null) return refused(nothingWasStarted(because('CommandNameUnusable', { name: wish.name })))
      if (existsSync(place)) return ok({ kind: 'known' })
      const why = options.isSealed(wish) ? whyNot(wish, options) : because('CommandNotConfirmedHere')
      if (keeper === null || why !== null) {
        return refused(nothingWasStarted(why ?? because('OnlyTerminalRunsCommands')))
      }
      // Nothing asynchronous may happen between the check of the Lease and the start.
      if (!mayBeSent()) return failed(keptBack())
      reported.begins()
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 })
        if (!makeFolder(place)) return ok({ kind: 'known' })
        const { command, directory: at } = wish
        commandFolder(place).writeClaim({ format: 1, command, directory: at, machine })
      } catch (error) {
        return cancelStart(place, because('CommandPlaceNotWritten', { path: place, fault: fileFault(error) }), reported)
      }
      if (!mayBeSent()) {
        cancelStart(place, because('KeptBack'), reported)
        return failed(keptBack())
      }
      const begun = await startKeeper(
        place,
        keeper,
        commandEnvironment(options.environment, wish, options.holdsSecret),
        machine,
      )
      return begun.kind === 'started' ? ok(begun) : cancelStart(place, begun.why, reported)
    },
    look: async name => {
      const place = placeOf(name)
      if (place === null || !existsSync(place)) return ok({ kind: 'nothing-kept' })
      try {
        const status = statusIn(commandFolder(place), machine)
        if (status.kind === 'ended' || status.kind === 'end-unseen') settle(place)
        else if (status.kind === 'runs' && status.isKept === false) readWithoutKeeper(place)
        return ok(status)
      } catch (error) {
        const unread = because('CommandStandingNotRead', { path: place, fault: fileFault(error) })
        return failed(refusal('unreachable', unread, { target: place, retryable: true }))
      }
    },
    outputOf: name => join(directory, name, 'output.log'),
  }

  /** The keeper is gone: each check of the command reads its output instead. */
  function readWithoutKeeper(place: string): void {
    const { pipe, output } = commandFolder(place)
    try {
      readAvailable(pipe, output)
    } catch {
      // The next check reads it.
    }
  }

  function settle(place: string): void {
    try {
      settleOutput(commandFolder(place).output, redact)
    } catch {
      // The next check redacts it.
    }
  }
}

/** The form of run ids, node names and numbers; it cannot lead out of the folder. */
const PLAIN_NAME = /^[A-Za-z0-9][\w.-]*$/

function refused(why: Finding): Result<CommandStart> {
  return ok({ kind: 'refused', why })
}

function nothingWasStarted(why: Finding): Finding {
  return because('NothingWasStarted', { why })
}

function cancelStart(
  place: string,
  why: Finding,
  reported: { readonly calledOff: (why: Finding) => void },
): Result<CommandStart> {
  rmSync(place, { recursive: true, force: true })
  reported.calledOff(why)
  return refused(why)
}

function whyNot(
  { command, directory }: Pick<CommandWish, 'command' | 'directory'>,
  { keeper, canSeal, holdsSecret, redact }: CommandOptions,
): Finding | null {
  if (keeper === null) return because('OnlyTerminalRunsCommands')
  if (!canSeal) return because('NoKeyForCommands')
  if (!existsSync(SHELL)) return because('NoShell', { shell: SHELL })
  const line = whyNoCommandLine(command)
  if (line !== null) return noCommandLine(line)
  if (holdsSecret(command) || redact(command) !== command) return because('CommandHasSecret')
  if (!isAbsolute(directory)) return because('CommandFolderNotWhole', { directory })
  try {
    return statSync(directory).isDirectory() ? null : because('CommandFolderIsNone', { directory })
  } catch (error) {
    return because('CommandFolderNotEntered', { directory, fault: fileFault(error) })
  }
}

function noCommandLine(why: NoCommandLine): Finding {
  return why.code === 'CommandTooLong' ? because(why.code, { longest: why.longest }) : because(why.code)
}

const SHELL = '/bin/sh'

async function startKeeper(
  place: string,
  [program = '', ...words]: readonly string[],
  environment: Record<string, string>,
  machine: ThisMachine,
): Promise<{ readonly kind: 'started'; readonly group: number } | { readonly kind: 'refused'; readonly why: Finding }> {
  const folder = commandFolder(place)
  let output: number | null = null
  try {
    output = openSync(folder.output, 'a', 0o600)
    // In a separate session, so that signals to this process (Ctrl-C) do not reach it.
    const child = spawn(program, [...words, place], {
      detached: true,
      env: environment,
      stdio: ['ignore', output, output],
    })
    const group = child.pid
    if (group !== undefined) noteGroup(folder, group, machine)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    child.unref()
    if (group !== undefined) return { kind: 'started', group }
    return { kind: 'refused', why: because('NoProcessForCommand') }
  } catch (error) {
    return { kind: 'refused', why: because('CommandNotStarted', { fault: fileFault(error) }) }
  } finally {
    if (output !== null) closeSync(output)
  }
}

function noteGroup(folder: CommandFolder, group: number, machine: ThisMachine): void {
  try {
    folder.writeNoted({ format: 1, group, began: beginningOf(group), machine })
  } catch {
    // A full disk does not undo the start; the keeper tries to write the note too.
  }
}

function statusIn(folder: CommandFolder, here: ThisMachine): CommandState {
  const noted = folder.noted()
  if (noted.kind !== 'whole') return stateWithoutGroup(folder, here)
  const { group } = noted.note
  const status = stateOfGroup(noted.note, here)
  // Read after the process check: the keeper notes the end before it exits.
  const end = folder.end()
  // While the keeper runs, it may still be writing the end.
  if (status.kind === 'there' && status.leads === true) return { kind: 'runs', group, isKept: true }
  if (end.kind === 'whole') {
    const { code, signal } = end.note
    return {
      kind: 'ended',
      code,
      signal,
      othersRun: status.kind === 'there' && status.leads === false ? group : null,
    }
  }
  switch (status.kind) {
    case 'there':
      return { kind: 'runs', group, isKept: status.leads }
    case 'cannot-tell':
      return { kind: 'may-run', group, why: status.why }
    case 'gone':
      return {
        kind: 'end-unseen',
        why: end.kind === 'torn' ? because('CommandEndNoteTorn', { why: status.why }) : status.why,
      }
  }
}

/** No process group was noted: the command was killed with its console at its start, or the note is damaged. */
function stateWithoutGroup(folder: CommandFolder, here: ThisMachine): CommandState {
  const end = folder.end()
  if (end.kind === 'whole') return { kind: 'ended', code: end.note.code, signal: end.note.signal, othersRun: null }
  const claim = folder.claim()
  // Group 0 never exists, so the answer depends only on whether the machine rebooted since.
  const since: ProcessGroupState =
    claim.kind === 'whole' && claim.note.machine.boot !== here.boot
      ? stateOfGroup({ group: 1, began: null, machine: claim.note.machine }, here)
      : { kind: 'cannot-tell', why: because('CommandGroupNotNoted') }
  return since.kind === 'gone'
    ? { kind: 'end-unseen', why: since.why }
    : { kind: 'may-run', group: null, why: since.kind === 'cannot-tell' ? since.why : because('CommandGroupNotNoted') }
}

const OWN_NAMES = /^(OS_|LOCKKEEPER_|JUJU_|KUBECONFIG$)/i

/** This process's environment without the console's secrets (`isSecret` recognizes loaded ones), plus the node or application, cluster and run. */
export function commandEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  { node, application, cluster, runId }: Pick<CommandWish, 'node' | 'application' | 'cluster' | 'runId'>,
  isSecret: (value: string) => boolean,
): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || OWN_NAMES.test(name) || isSecret(value)) continue
    given[name] = value
  }
  const about = application === undefined ? { LOCKKEEPER_NODE: node } : { LOCKKEEPER_APPLICATION: application }
  return { ...given, ...about, LOCKKEEPER_CLUSTER: cluster, LOCKKEEPER_RUN: runId }
}

import { spawn } from 'node:child_process'
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import type { Clock } from '../../clock/clock.ts'
import type { CommandPort, CommandStanding } from '../../ports/commands.ts'

/** Keeps its own number and how it ended in the folder $0; each file shows only once it is whole. */
const KEEPER = `
echo $$ >"$0/pid.new" && mv "$0/pid.new" "$0/pid"
sh -c "$1"
echo $? >"$0/exit.new" && mv "$0/exit.new" "$0/exit"
`

/** A shell that was started says so within this. */
const SHOWS_WITHIN_MS = 10_000

/** Runs commands by the shell of this machine, each in a folder of its own below this one. */
export function createShellCommands(directory: string, clock: Clock): CommandPort {
  return {
    start: async (id, command, environment) => {
      const place = join(directory, id)
      const output = join(place, 'output.log')
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        if (!(await isMade(place))) return ok({ output })
      } catch (error) {
        return failed(unstarted(place, error))
      }
      try {
        await startShell({ place, output, command, environment })
        return ok({ output })
      } catch (error) {
        // Nothing runs: another try may begin.
        await rm(place, { recursive: true, force: true })
        return failed(unstarted(place, error))
      }
    },
    look: async id => {
      const place = join(directory, id)
      try {
        return ok(await standingIn(place, clock))
      } catch (error) {
        return failed(
          failure('unreachable', `How the command stands cannot be read in ${place}: ${messageOf(error)}`, {
            target: place,
          }),
        )
      }
    },
  }
}

/** Whether the folder was made now; false: an earlier start made it. */
async function isMade(place: string): Promise<boolean> {
  try {
    await mkdir(place, { mode: 0o700 })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

async function startShell(wish: {
  readonly place: string
  readonly output: string
  readonly command: string
  readonly environment: Readonly<Record<string, string>>
}): Promise<void> {
  const file = await open(wish.output, 'a', 0o600)
  try {
    // A session of its own: what ends this process, Ctrl-C too, does not reach it.
    const child = spawn('/bin/sh', ['-c', KEEPER, wish.place, wish.command], {
      detached: true,
      env: { ...process.env, ...wish.environment },
      stdio: ['ignore', file.fd, file.fd],
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    child.unref()
  } finally {
    await file.close()
  }
}

async function standingIn(place: string, clock: Clock): Promise<CommandStanding> {
  const ended = await endIn(place)
  if (ended !== null) return ended
  const pid = await readText(join(place, 'pid'))
  if (pid === null) {
    const sinceMs = clock.now() - (await stat(place)).mtimeMs
    return sinceMs < SHOWS_WITHIN_MS ? { kind: 'runs' } : { kind: 'lost' }
  }
  if (await isThere(Number(pid), place)) return { kind: 'runs' }
  // It may have ended between the two looks.
  return (await endIn(place)) ?? { kind: 'lost' }
}

async function endIn(place: string): Promise<CommandStanding | null> {
  const text = await readText(join(place, 'exit'))
  return text === null ? null : { kind: 'ended', code: Number(text) }
}

/** Whether the shell still is: another process may have got its number since, which its command line tells where the system shows it. */
async function isThere(pid: number, place: string): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return !isCode(error, 'ESRCH')
  }
  const line = await readText(`/proc/${pid}/cmdline`)
  return line === null || line.includes(place)
}

async function readText(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function unstarted(place: string, error: unknown) {
  return failure('unreachable', `The command was not started in ${place}: ${messageOf(error)}`, { target: place })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

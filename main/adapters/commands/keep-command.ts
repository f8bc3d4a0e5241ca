import { spawn } from 'node:child_process'
import { appendFileSync, closeSync } from 'node:fs'
import { shellNotStartedWords } from '../../../shared/words/command-output.ts'
import { isoNow, systemClock } from '../../platform/clock/clock.ts'
import { systemCode } from '../../platform/files/file-words.ts'
import { redactText } from '../../platform/log/redact.ts'
import { commandFolder } from './command-folder.ts'
import { boundOutput, settleOutput } from './kept-output.ts'
import { openOutputPipe } from './output-pipe.ts'
import { beginningOf } from './process-group.ts'

const LOOK_EVERY_MS = 2_000

/** How often the keeper tries to note the end while the disk is full. */
const NOTE_TRIES = 300

const NOT_FOUND = 127

/**
 * The process that keeps a command: it leads the command's process group, notes how it ends and limits its output. It outlives the console, and ignores the
 * signals that end the command.
 */
export async function keepCommand(place: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const folder = commandFolder(place)
  const claim = folder.claim()
  if (claim.kind !== 'whole') return
  const { command, directory, machine } = claim.note
  // The console writes this note too, in case either process is killed.
  folder.writeNoted({ format: 1, group: process.pid, began: beginningOf(process.pid), machine })
  const over = new AbortController()
  const pipe = openOutputPipe(folder.pipe, folder.output)
  const prints = pipe?.writeEnd ?? 'inherit'
  const bounded = pipe === null ? boundOutputRepeatedly(folder.output, over.signal) : null
  const end = await new Promise<{ readonly code: number | null; readonly signal: string | null }>(resolve => {
    const child = spawn('/bin/sh', ['-c', command], { cwd: directory, stdio: ['ignore', prints, prints] })
    if (pipe !== null) closeSync(pipe.writeEnd)
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', error => {
      ignoringFailure(() => appendFileSync(folder.output, shellNotStartedWords(systemCode(error))))
      resolve({ code: NOT_FOUND, signal: null })
    })
  })
  const endedAt = isoNow(systemClock)
  over.abort()
  await bounded
  if (pipe !== null) ignoringFailure(pipe.settle)
  for (let left = NOTE_TRIES; left > 0; left -= 1) {
    try {
      folder.writeEnd({ format: 1, ...end, endedAt })
      break
    } catch {
      await systemClock.sleep(LOOK_EVERY_MS)
    }
  }
  ignoringFailure(() => settleOutput(folder.output, redactText))
}

async function boundOutputRepeatedly(output: string, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    await systemClock.sleep(LOOK_EVERY_MS, until)
    if (!until.aborted) ignoringFailure(() => boundOutput(output, 'another'))
  }
}

function ignoringFailure(work: () => void): void {
  try {
    work()
  } catch {
    // Lost output must not prevent the note of the end.
  }
}

import { closeSync, constants, fchmodSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { visibleJson } from '../../../shared/domain/visible-text.ts'
import type { Clock } from '../clock/clock.ts'
import type { LogFields, Logger } from './logger.ts'
import { createRedactor, type Redactor } from './redact.ts'

/** `warn` writes errors and warnings, and so on (style G39). */
type LogLevel = 'error' | 'warn' | 'info' | 'debug'

const LOUDNESS: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 }
const KEPT_FILES = 14
const LONGEST_LINE = 64_000
const FILE_NAME = /^lockkeeper-\d{4}-\d{2}-\d{2}\.log$/

export interface FileLoggerOptions {
  /** Null means it writes no file, only to `console`. */
  readonly directory: string | null
  readonly clock: Clock
  readonly level: LogLevel
  /** A second output for every line, without secrets: the terminal for `--verbose`, or a pod's standard output. */
  readonly console?: (line: string) => void
  readonly redactor?: Redactor
}

export interface FileLogger extends Logger {
  close(): void
}

/** Writes one line of JSON per entry to `lockkeeper-YYYY-MM-DD.log` (days in UTC), readable by the operator only; keeps 14 files. Writes before it returns, so that the last lines before a crash survive; never throws (style G39). */
export function createFileLogger(options: FileLoggerOptions): FileLogger {
  const redactor = options.redactor ?? createRedactor()
  const state: LogState = { ...options, redactor, file: null, lost: 0, closed: false }
  return {
    ...loggerFor(state, 'main'),
    close: () => {
      state.closed = true
      closeFile(state)
    },
  }
}

interface LogState extends FileLoggerOptions {
  readonly redactor: Redactor
  file: { readonly day: string; readonly descriptor: number } | null
  /** How many entries could not be written since the last one that could. */
  lost: number
  closed: boolean
}

function loggerFor(state: LogState, area: string): Logger {
  return {
    error: (message, fields) => write(state, area, 'error', message, fields),
    warn: (message, fields) => write(state, area, 'warn', message, fields),
    info: (message, fields) => write(state, area, 'info', message, fields),
    debug: (message, fields) => write(state, area, 'debug', message, fields),
    child: inner => loggerFor(state, area === 'main' ? inner : `${area}.${inner}`),
  }
}

function write(
  state: LogState,
  area: string,
  entryLevel: LogLevel,
  message: string,
  fields: LogFields | undefined,
): void {
  if (state.closed || LOUDNESS[entryLevel] > LOUDNESS[state.level]) return
  let line: string
  let time: string
  try {
    time = new Date(state.clock.now()).toISOString()
    line = lineOf(state.redactor, time, entryLevel, area, message, fields)
  } catch {
    state.lost += 1
    return
  }
  try {
    if (state.directory !== null) writeToFile(state, state.directory, time, line)
  } catch {
    // A full disk or a removed folder must not stop the logged work; the next entry tries again.
    state.lost += 1
    closeFile(state)
  }
  try {
    state.console?.(line)
  } catch {
    // A closed terminal must not stop it either.
  }
}

function writeToFile(state: LogState, folder: string, time: string, line: string): void {
  const descriptor = descriptorFor(state, folder, time.slice(0, 10))
  if (state.lost > 0) {
    const note = `${state.lost} log entries before this one could not be written`
    writeSync(descriptor, `${lineOf(state.redactor, time, 'warn', 'log', note, undefined)}\n`)
    state.lost = 0
  }
  writeSync(descriptor, `${line}\n`)
}

function descriptorFor(state: LogState, folder: string, day: string): number {
  if (state.file?.day === day) return state.file.descriptor
  closeFile(state)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  const flags = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW
  const descriptor = openSync(join(folder, `lockkeeper-${day}.log`), flags, 0o600)
  state.file = { day, descriptor }
  // Another process may have created the file with other permissions.
  fchmodSync(descriptor, 0o600)
  removeOld(folder)
  return descriptor
}

function closeFile(state: LogState): void {
  if (state.file === null) return
  const { descriptor } = state.file
  state.file = null
  try {
    closeSync(descriptor)
  } catch {
    // Nothing is buffered, so nothing is lost.
  }
}

function lineOf(
  redactor: Redactor,
  time: string,
  level: LogLevel,
  area: string,
  message: string,
  fields: LogFields | undefined,
): string {
  const entry = { time, level, area, message: redactor.text(message) }
  if (fields === undefined) return visibleJson(JSON.stringify(entry))
  const line = visibleJson(JSON.stringify({ ...entry, fields: redactor.value(fields) }))
  return line.length <= LONGEST_LINE
    ? line
    : visibleJson(JSON.stringify({ ...entry, fields: `[${line.length} characters left out]` }))
}

function removeOld(directory: string): void {
  try {
    const names = readdirSync(directory).filter(name => FILE_NAME.test(name))
    for (const name of names.sort().slice(0, -KEPT_FILES)) rmSync(join(directory, name), { force: true })
  } catch {
    // Old files that stay do less harm than a missing log.
  }
}

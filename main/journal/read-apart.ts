import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { Failure } from '../../shared/domain/failure.ts'
import { jsonOf } from '../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { JournalOperator } from './care-records.ts'
import { ForeignCopy } from './copy-foreign.ts'
import type { ImportedJournal } from './import-journal.ts'
import type { JournalCare } from './journal-care.ts'

/** Copying a journal of gigabytes on a slow disk takes less. */
const GIVEN_UP_MS = 120_000
/** Limit of processor seconds: it also ends the process if the console is killed. */
const MOST_CPU_SECONDS = 300
const MOST_ANSWER = 64 * 1024

const Answer = z.union([
  z.strictObject({ ok: z.literal(true), value: ForeignCopy }),
  z.strictObject({ ok: z.literal(false), failure: Failure }),
])

/** Reads a foreign journal in a separate process, because SQLite cannot be interrupted within a query. `take` gets a copy, which is removed afterwards. */
export async function readApart<T>(
  reader: readonly string[],
  file: string,
  clock: Clock,
  take: (copy: ForeignCopy) => Result<T>,
  limitMs: number = GIVEN_UP_MS,
): Promise<Result<T>> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-import-'))
  const clear = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', clear)
  try {
    const answer = await answerOf([...reader, file, join(folder, 'journal.db')], clock, limitMs)
    if (answer === null) {
      return failed(
        refusal('timed-out', because('ImportNotRead', { file, withinSeconds: limitMs / 1000 }), { target: file }),
      )
    }
    return answer.ok ? take(answer.value) : answer
  } finally {
    process.off('exit', clear)
    clear()
  }
}

export async function importForeign(
  care: Pick<JournalCare, 'importFrom'>,
  reader: readonly string[] | null,
  clock: Clock,
  wish: { readonly file: string; readonly by: JournalOperator },
): Promise<Result<ImportedJournal>> {
  if (reader === null || !isAbsolute(wish.file)) return care.importFrom(wish)
  return readApart(reader, wish.file, clock, copy => care.importFrom({ ...wish, copy }))
}

/** Null if it was killed, or ended without an answer. */
async function answerOf(
  command: readonly string[],
  clock: Clock,
  limitMs: number,
): Promise<Result<ForeignCopy> | null> {
  const [program = '', ...words] = bounded(command)
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'ignore'] })
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  const over = new AbortController()
  try {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', chunk => {
      said = `${said}${chunk}`.slice(0, MOST_ANSWER)
    })
    const closed = new Promise<void>(resolve => {
      child.once('close', () => resolve())
      child.once('error', () => resolve())
    })
    await Promise.race([closed, clock.sleep(limitMs, over.signal)])
    end()
    await closed
    const parsed = Answer.safeParse(jsonOf(said))
    if (!parsed.success) return null
    return parsed.data.ok ? ok(parsed.data.value) : failed(parsed.data.failure)
  } finally {
    over.abort()
    process.off('exit', end)
  }
}

function bounded(command: readonly string[]): readonly string[] {
  if (process.platform === 'win32') return command
  return ['/bin/sh', '-c', `ulimit -t ${MOST_CPU_SECONDS}; exec "$@"`, 'sh', ...command]
}

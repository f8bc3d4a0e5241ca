import { resolve } from 'node:path'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { CliProcess } from '../../../faces/cli/process-io.ts'
import { readNamedText } from '../../../platform/files/named-file.ts'

/** A secret from a file, or with `-` one line of standard input; never from the command line, which every user of the machine can read. */
export async function readSecret(
  file: string,
  io: Pick<CliProcess, 'readLine' | 'workDirectory'>,
  signal: AbortSignal,
): Promise<Result<string>> {
  const read =
    file === '-' ? ok((await io.readLine(signal)) ?? '') : await readNamedText(resolve(io.workDirectory, file))
  if (!read.ok) return read
  const secret = read.value.trim()
  if (secret !== '' && !/[\r\n]/.test(secret)) return ok(secret)
  return failed(refusal('bad-input', because('SecretNotOneLine', { file })))
}

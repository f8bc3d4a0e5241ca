import type { z } from 'zod'
import { jsonIn } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { firstWords } from '../../../shared/grammar/first-words.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { redactText } from '../../platform/log/redact.ts'
import type { CommandOutput } from '../../ports/kubernetes.ts'

export function readAnswer<T>(schema: z.ZodType<T>, output: CommandOutput, doing: Finding): Result<T> {
  if (output.exitCode !== 0) return failed(commandFailure(output, doing))
  const read = schema.safeParse(jsonOf(output.stdout))
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  const issues = `${firstWords(issue?.path.join('.') ?? '')}: ${issue?.code ?? 'not JSON'}`
  return failed(unreadable(output, doing, because('AnswerMisses', { issues })))
}

/** The failure for a command that succeeded but printed something else; it quotes the output. */
export function unreadable({ exitCode, stdout }: CommandOutput, doing: Finding, wrong: Finding) {
  const output = firstWords(redactText(stdout))
  return refusal('unreadable', because('NotACephAnswer', { call: doing, exitCode, output, wrong }), {
    detail: wrong.message,
  })
}

export function commandFailure(output: CommandOutput, doing: Finding) {
  const { exitCode } = output
  return refusal('server-fault', because('CephCommandFailed', { call: doing, output: wordsOf(output), exitCode }), {
    detail: `exit code ${exitCode}`,
    // Invalid arguments stay invalid; an unreachable monitor can come back.
    retryable: ![2, 22].includes(exitCode),
  })
}

/** The last line of stderr, where `ceph` prints its reason, without `Error EXXX: ` and without secrets. */
export function wordsOf({ stderr }: CommandOutput): string {
  const lines = redactText(stderr)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  return (lines.findLast(line => line.startsWith('Error ')) ?? lines.at(-1) ?? '')
    .replace(/^Error [A-Z0-9]+: /, '')
    .replace(/\.$/, '')
}

/** The JSON in stdout; undefined if it is not JSON. `ceph` prints an empty line first. */
export function jsonOf(text: string): unknown {
  try {
    return jsonIn(text)
  } catch {
    return undefined
  }
}

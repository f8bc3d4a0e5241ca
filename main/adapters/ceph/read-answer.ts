import type { z } from 'zod'
import { failure } from '../../../shared/domain/failure.ts'
import { jsonIn } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { firstWords } from '../../../shared/grammar/first-words.ts'
import { redactText } from '../../log/redact.ts'
import type { CommandOutput } from '../../ports/kubernetes.ts'

/** Reads the JSON of a command that succeeded. */
export function readAnswer<T>(schema: z.ZodType<T>, output: CommandOutput, doing: string): Result<T> {
  if (output.exitCode !== 0) return failed(commandFailure(output, doing))
  const read = schema.safeParse(jsonOf(output.stdout))
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  return failed(unreadable(output, doing, `${issue?.path.join('.') ?? ''}: ${issue?.code ?? 'not JSON'}`))
}

/** The failure for a command that ended well and printed something that is not its answer; it says what came instead. */
export function unreadable({ exitCode, stdout }: CommandOutput, doing: string, why: string) {
  const words = firstWords(redactText(stdout))
  const came = words === '' ? 'nothing on stdout' : `beginning with “${words}”`
  return failure(
    'unreadable',
    `Ceph did not ${doing}: what came is not an answer to that (exit code ${exitCode}, ${came}). Nothing was learnt from it. Is what runs \`ceph\` there really Ceph, and its release supported?`,
    { detail: why },
  )
}

/** What Ceph says when it refuses or fails; `Error EBUSY: …` is its own form. */
export function commandFailure(output: CommandOutput, doing: string) {
  const said = wordsOf(output)
  const because = said === '' ? `exit code ${output.exitCode}` : said
  return failure('server-fault', `Ceph did not ${doing}: ${because}. Look at \`ceph status\` in the toolbox.`, {
    detail: `exit code ${output.exitCode}`,
    // Wrong words stay wrong; a monitor that is away comes back.
    retryable: ![2, 22].includes(output.exitCode),
  })
}

/** The last line of stderr, where `ceph` puts its reason, without `Error EXXX: ` and without secrets. */
export function wordsOf({ stderr }: CommandOutput): string {
  const lines = redactText(stderr)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  return (lines.findLast(line => line.startsWith('Error ')) ?? lines.at(-1) ?? '')
    .replace(/^Error [A-Z0-9]+: /, '')
    .replace(/\.$/, '')
}

/** JSON of stdout; undefined where it is none. `ceph` puts an empty line before it. */
export function jsonOf(text: string): unknown {
  try {
    return jsonIn(text)
  } catch {
    return undefined
  }
}

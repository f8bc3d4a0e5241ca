import type { z } from 'zod'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { CommandOutput } from '../maintenance/ports.ts'

/** Reads the JSON of a command that succeeded. */
export function readAnswer<T>(schema: z.ZodType<T>, output: CommandOutput, doing: string): Result<T> {
  if (output.exitCode !== 0) return failed(commandFailure(output, doing))
  const read = schema.safeParse(jsonOf(output.stdout))
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  return failed(
    failure('server-fault', `Ceph answered something unexpected when asked to ${doing}. Is its release supported?`, {
      detail: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not JSON'}`,
      retryable: false,
    }),
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

/** The last line of stderr, where `ceph` puts its reason, without `Error EXXX: `. */
export function wordsOf({ stderr }: CommandOutput): string {
  const lines = stderr
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
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

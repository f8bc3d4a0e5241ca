import { Trouble } from '../../../shared/domain/demo-troubles.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'

/** The troubles of `--trouble`; a name that is none of them is refused with all the names. */
export function troublesAsked(args: ParsedArguments): Result<readonly Trouble[]> {
  const asked = args.texts('trouble')
  const troubles = asked.map(text => Trouble.safeParse(text))
  const unknown = asked[troubles.findIndex(({ success }) => !success)]
  return unknown === undefined
    ? ok(troubles.flatMap(({ data }) => data ?? []))
    : failed(refusal('bad-input', because('NoSuchTrouble', { given: unknown, troubles: Trouble.options })))
}

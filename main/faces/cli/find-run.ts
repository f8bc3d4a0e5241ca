import type { Contract, Envelope, RunSummary } from '../../../shared/contract/index.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { instantWords } from '../../../shared/grammar/times.ts'
import { whyOnlyRead } from './journal-standing.ts'

/** The run an operator means by an id or the beginning of one; an ambiguous beginning names the runs it fits. */
export async function findRun(contract: Contract, typed: string): Promise<Envelope<RunSummary>> {
  const listed = await contract.ask('run.list', { cluster: null })
  if (!listed.ok) return listed
  const runs = listed.value
  const exact = runs.find(({ id }) => id === typed)
  if (exact !== undefined) return ok(exact)
  const fitting = runs.filter(({ id }) => id.startsWith(typed))
  const [only, second] = fitting
  if (only !== undefined && second === undefined) return ok(only)
  if (only === undefined) {
    const why = await whyOnlyRead(contract)
    return failed(
      failure(
        'not-found',
        why === null
          ? `There is no run whose id begins with ${typed}. \`lockkeeper runs\` lists them.`
          : `The journal, as it is now, has no run whose id begins with ${typed}. ${why}`,
        { target: `run/${typed}` },
      ),
    )
  }
  const names = fitting
    .slice(0, 5)
    .map(run => `${run.id} (${run.kind} ${planSubject(run)}, ${instantWords(run.createdAt)})`)
  const more = fitting.length > 5 ? ` and ${fitting.length - 5} more` : ''
  return failed(
    failure('bad-input', `Several runs begin with ${typed}: ${names.join('; ')}${more}. Type more of the id.`, {
      target: `run/${typed}`,
    }),
  )
}

/** For each id the shortest beginning, of at least eight characters, that no other one shares. */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    ids.map(id => {
      let length = Math.min(8, id.length)
      while (length < id.length && ids.some(other => other !== id && other.startsWith(id.slice(0, length)))) length += 1
      return [id, id.slice(0, length)]
    }),
  )
}

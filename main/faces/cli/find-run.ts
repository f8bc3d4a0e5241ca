import type { Contract, Envelope, RunSummary } from '../../../shared/contract/index.ts'
import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { instantWords } from '../../../shared/grammar/times.ts'
import { planTitle } from '../../../shared/words/plans.ts'
import type { CommandContext, FoundRequest } from './command.ts'
import { whyOnlyRead } from './journal-status.ts'

/** What RUN means: a run, or a MaintenanceRun without a run here. */
type Found = Extract<FoundRequest, { readonly kind: 'run' | 'asked' }>

type Asking = Pick<CommandContext, 'contract' | 'parts'>

/** Finds a run by its id, the name of its MaintenanceRun, or the beginning of one; lists the matches if there are several. */
export async function findRun(context: Asking, typed: string): Promise<Envelope<RunSummary>> {
  const found = await findRunOrAsked(context, typed)
  if (!found.ok) return found
  return found.value.kind === 'run' ? ok(found.value.run) : failed(found.value.asked.whyNoRun)
}

/** Like {@link findRun}, but also finds MaintenanceRuns that have not started or have no run here. */
export async function findRunOrAsked(context: Asking, typed: string): Promise<Envelope<Found>> {
  const listed = await context.contract.ask('run.list', { cluster: null })
  if (!listed.ok) return listed
  const runs = listed.value
  const exact = runs.find(({ id }) => id === typed)
  if (exact !== undefined) return ok({ kind: 'run', run: exact })
  const fitting = runs.filter(({ id }) => id.startsWith(typed))
  const [only, second] = fitting
  if (only !== undefined && second === undefined) return ok({ kind: 'run', run: only })
  if (only === undefined) return findAsked(context, typed, runs)
  return several(
    typed,
    fitting.map(run => `${run.id} (${planTitle(run)}, ${instantWords(run.createdAt)})`),
  )
}

/** Requests come last, because this reads the clusters of runners. */
async function findAsked(context: Asking, typed: string, runs: readonly RunSummary[]): Promise<Envelope<Found>> {
  const { contract, parts } = context
  const found = (await parts.runners?.findRequest(contract, typed, runs)) ?? ok({ kind: 'nothing', unread: [] })
  if (!found.ok) return found
  if (found.value.kind === 'several') return several(typed, found.value.names)
  if (found.value.kind === 'nothing') return failed(await notFound(contract, typed, found.value.unread))
  return ok(found.value)
}

async function notFound(contract: Contract, typed: string, unread: readonly string[]): Promise<Failure> {
  const why = await whyOnlyRead(contract)
  const own =
    why === null
      ? `No run has an id that begins with ${typed}, and no known runner has a MaintenanceRun of that name. \`lockkeeper runs\` lists them.`
      : `The journal has no run whose id begins with ${typed}. ${why}`
  return failure('not-found', [own, ...unread].join(' '), { target: `run/${typed}` })
}

function several(typed: string, names: readonly string[]): Envelope<never> {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
  return failed(
    failure(
      'bad-input',
      `Several runs begin with ${typed}: ${names.slice(0, 5).join('; ')}${more}. Type more of the id.`,
      {
        target: `run/${typed}`,
      },
    ),
  )
}

/** The shortest unique beginning of each id, at least eight characters. */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    ids.map(id => {
      let length = Math.min(8, id.length)
      while (length < id.length && ids.some(other => other !== id && other.startsWith(id.slice(0, length)))) length += 1
      return [id, id.slice(0, length)]
    }),
  )
}

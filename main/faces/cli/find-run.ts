import type { AskedRun, AskedRuns, Contract, Envelope, RunSummary } from '../../../shared/contract/index.ts'
import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { isObjectName } from '../../../shared/domain/object-name.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { instantWords } from '../../../shared/grammar/times.ts'
import { askedRunWords, unreadAsked } from '../../../shared/words/runners.ts'
import { whyOnlyRead } from './journal-status.ts'

/** What RUN means: a run, or a MaintenanceRun without a run here. */
type Found = { readonly kind: 'run'; readonly run: RunSummary } | { readonly kind: 'asked'; readonly asked: AskedRun }

/** Finds a run by its id, the name of its MaintenanceRun, or the beginning of one; lists the matches if there are several. */
export async function findRun(contract: Contract, typed: string): Promise<Envelope<RunSummary>> {
  const found = await findRunOrAsked(contract, typed)
  if (!found.ok) return found
  return found.value.kind === 'run' ? ok(found.value.run) : failed(whyNoRun(found.value.asked))
}

/** Like {@link findRun}, but also finds MaintenanceRuns that have not started or have no run here. */
export async function findRunOrAsked(contract: Contract, typed: string): Promise<Envelope<Found>> {
  const listed = await contract.ask('run.list', { cluster: null })
  if (!listed.ok) return listed
  const runs = listed.value
  const exact = runs.find(({ id }) => id === typed)
  if (exact !== undefined) return ok({ kind: 'run', run: exact })
  const fitting = runs.filter(({ id }) => id.startsWith(typed))
  const [only, second] = fitting
  if (only !== undefined && second === undefined) return ok({ kind: 'run', run: only })
  if (only === undefined) return findAsked(contract, typed, runs)
  return several(
    typed,
    fitting.map(run => `${run.id} (${run.kind} ${planSubject(run)}, ${instantWords(run.createdAt)})`),
  )
}

/** Objects come last, because this reads the clusters of runners. */
async function findAsked(contract: Contract, typed: string, runs: readonly RunSummary[]): Promise<Envelope<Found>> {
  const asked = isObjectName(typed.replace(/[-.]$/, ''))
    ? await contract.ask('runner.asked', { cluster: null, object: typed })
    : ok<AskedRuns>({ runs: [], unread: [] })
  if (!asked.ok) return asked
  const fitting = asked.value.runs
  const exact = fitting.filter(({ object }) => object === typed)
  const [only, second] = exact.length > 0 ? exact : fitting
  if (only !== undefined && second === undefined) {
    const run = runs.find(({ id }) => id === only.runId)
    return ok(run === undefined ? { kind: 'asked', asked: only } : { kind: 'run', run })
  }
  if (only === undefined) return failed(await notFound(contract, typed, asked.value))
  return several(
    typed,
    (exact.length > 0 ? exact : fitting).map(run => `${run.object} (namespace ${run.namespace} of ${run.by})`),
  )
}

async function notFound(contract: Contract, typed: string, { unread }: AskedRuns): Promise<Failure> {
  const why = await whyOnlyRead(contract)
  const own =
    why === null
      ? `No run has an id that begins with ${typed}, and no known runner has a MaintenanceRun of that name. \`lockkeeper runs\` lists them.`
      : `The journal has no run whose id begins with ${typed}. ${why}`
  return failure('not-found', [own, ...unread.map(unreadAsked)].join(' '), { target: `run/${typed}` })
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

/** Why a MaintenanceRun without a run here can only be shown and withdrawn. */
function whyNoRun(asked: AskedRun): Failure {
  const { object, message, runId, over } = asked
  const target = { target: `maintenancerun/${object}` }
  if (runId !== null) {
    const why = `MaintenanceRun ${object} started as run ${runId}, but this console cannot read its runner's journal. \`lockkeeper runner list\` says why.`
    return failure('conflict', why, target)
  }
  const next = over ? '' : ` Until it starts, you can only withdraw it: \`lockkeeper run abort ${object}\``
  return failure(
    'conflict',
    `MaintenanceRun ${object} has not started: ${askedRunWords(asked)}. ${message}${next}`,
    target,
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

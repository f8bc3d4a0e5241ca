import type { Contract, Envelope } from '../../../shared/contract/index.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { ReportSubject } from '../../../shared/domain/report.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { planTitle } from '../../../shared/words/plans.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { whyOnlyRead } from './journal-status.ts'

/** Finds a run or window by its id or the beginning of it; lists the matches if there are several. */
export async function findReportSubject(contract: Contract, typed: string): Promise<Envelope<ReportSubject>> {
  const [runs, windows] = await Promise.all([
    contract.ask('run.list', { cluster: null }),
    contract.ask('window.list', { cluster: null }),
  ])
  if (!runs.ok) return runs
  if (!windows.ok) return windows
  const known = [
    ...runs.value.map(run => ({
      subject: { kind: 'run', id: run.id } as const,
      words: `run ${run.id} (${planTitle(run)})`,
    })),
    ...windows.value.map(({ window }) => ({
      subject: { kind: 'window', id: window.id } as const,
      words: `window ${window.id} (${window.title})`,
    })),
  ]
  const exact = known.find(({ subject }) => subject.id === typed)
  if (exact !== undefined) return ok(exact.subject)
  const fitting = known.filter(({ subject }) => subject.id.startsWith(typed))
  const [only, second] = fitting
  if (only !== undefined && second === undefined) return ok(only.subject)
  const target = { target: typed }
  if (only === undefined) {
    const why = await whyOnlyRead(contract)
    return failed(
      failure(
        'not-found',
        why === null
          ? `No run or window has an id that begins with ${typed}. \`lockkeeper runs\` and \`lockkeeper window list\` list them.`
          : `The journal has no run or window whose id begins with ${typed}. ${why}`,
        target,
      ),
    )
  }
  return failed(
    refusal('bad-input', because('IdAmbiguous', { given: typed, matches: fitting.map(({ words }) => words) }), target),
  )
}

import type { Edit } from '../../../../shared/domain/edit.ts'
import { dateAndTime } from '../../../../shared/grammar/times.ts'
import type { Command } from '../command.ts'
import { reportFailure } from '../report-failure.ts'
import type { Look } from '../words/look.ts'
import { renderTable } from '../words/table.ts'

const SHOWN = 50

export const listEdits: Command = async context => {
  const { args, contract, printer } = context
  const listed = await contract.ask('edit.list', {
    cluster: args.operand('CLUSTER'),
    node: args.operands.NODE ?? null,
    limit: args.number('limit') ?? SHOWN,
  })
  if (!listed.ok) return reportFailure(context, listed.failure)
  if (printer.json) printer.value(listed.value)
  else printer.say(...renderEdits(listed.value, printer.look, printer.verbose))
  return 0
}

function renderEdits(edits: readonly Edit[], look: Look, verbose: boolean): readonly string[] {
  if (edits.length === 0) return ['There are no manual changes.']
  return renderTable(
    ['AT', 'WHO', 'WHAT', 'BEFORE', 'AFTER'],
    edits.map(edit => [
      dateAndTime(edit.at, look.clock),
      `${edit.operator} on ${edit.machine}`,
      { text: verbose ? edit.target : named(edit.target), paint: look.palette.strong },
      edit.before,
      edit.refused === null ? edit.after : { text: `refused: ${edit.refused}`, paint: look.palette.bad },
    ]),
    look,
  )
}

/** `server/6f1c… (web-1)` becomes `instance web-1`. */
function named(target: string): string {
  return target.replace(/^server\/\S+ \((.+)\)$/, 'instance $1')
}

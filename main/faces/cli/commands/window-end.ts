import type { Envelope, ListedWindow } from '../../../../shared/contract/index.ts'
import type { Command, CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

export const noteWindow: Command = async context => {
  const { args, contract } = context
  const id = args.operand('WINDOW')
  const [incident, remark] = [args.text('incident'), args.text('remark')]
  const text = incident ?? remark
  if (text === null || text.trim() === '' || (incident !== null && remark !== null)) {
    return reportUsage(context, 'Give the note: either --incident TEXT or --remark TEXT.')
  }
  const note = incident === null ? 'remark' : 'incident'
  return printAnswer(await contract.ask('window.note', { id, note, text }), `Added the ${note} to`, context)
}

export const closeWindow: Command = async context => {
  const { args, contract } = context
  const summary = args.text('summary')
  if (summary === null) return reportUsage(context, 'Give the result: --summary TEXT. The report shows it.')
  return printAnswer(await contract.ask('window.close', { id: args.operand('WINDOW'), summary }), 'Closed', context)
}

export const cancelWindow: Command = async context => {
  const { args, contract } = context
  const why = args.text('why')
  if (why === null || why.trim() === '') return reportUsage(context, 'Give a reason: --why TEXT.')
  return printAnswer(await contract.ask('window.cancel', { id: args.operand('WINDOW'), why }), 'Cancelled', context)
}

function printAnswer(answer: Envelope<ListedWindow>, what: string, context: CommandContext): ExitCode {
  const { printer } = context
  if (!answer.ok) return reportFailure(context, answer.failure)
  const { window } = answer.value
  printer.say(`${what} window ${window.id}, "${window.title}" of ${window.cluster}.`)
  if (printer.json) printer.value(answer.value)
  return 0
}

import type { Envelope, ListedWindow } from '../../../../shared/contract/index.ts'
import type { Command, CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

/** `window note`: keeps an incident or a remark. */
export const noteWindow: Command = async context => {
  const { args, contract } = context
  const id = args.operand('WINDOW')
  const [incident, remark] = [args.text('incident'), args.text('remark')]
  const text = incident ?? remark
  if (text === null || text.trim() === '' || (incident !== null && remark !== null)) {
    return reportUsage(context, 'Say what is to be kept, as one of --incident TEXT and --remark TEXT.')
  }
  const note = incident === null ? 'remark' : 'incident'
  return printAnswer(await contract.ask('window.note', { id, note, text }), `The ${note} is kept with`, context)
}

/** `window close`: ends a window with what came of it. */
export const closeWindow: Command = async context => {
  const { args, contract } = context
  const summary = args.text('summary')
  if (summary === null) return reportUsage(context, 'Say what came of it: --summary TEXT. It is in the report.')
  return printAnswer(await contract.ask('window.close', { id: args.operand('WINDOW'), summary }), 'Closed', context)
}

/** `window cancel`: calls a window off. */
export const cancelWindow: Command = async context => {
  const { args, contract } = context
  const why = args.text('why')
  if (why === null || why.trim() === '') return reportUsage(context, 'Say why it is called off: --why TEXT.')
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

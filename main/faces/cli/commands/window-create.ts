import type { WrittenWindow } from '../../../../shared/contract/index.ts'
import type { Command, CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { renderWindow } from '../render/render-windows.ts'
import { reportFailure } from '../report-failure.ts'
import { windowDraft } from '../window-draft.ts'

export const createWindow: Command = async context => {
  const draft = await windowDraft(context.args.operand('CLUSTER'), null, context)
  if (!draft.ok) return reportFailure(context, draft.failure)
  const created = await context.contract.ask('window.create', { draft: draft.value })
  return created.ok ? printWritten(created.value, context) : reportFailure(context, created.failure)
}

export const changeWindow: Command = async context => {
  const { args, contract } = context
  const shown = await contract.ask('window.show', { id: args.operand('WINDOW') })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const { id, cluster, revision } = shown.value.window
  const draft = await windowDraft(cluster, shown.value.window, context)
  if (!draft.ok) return reportFailure(context, draft.failure)
  const changed = await contract.ask('window.change', { id, revision, draft: draft.value })
  return changed.ok ? printWritten(changed.value, context) : reportFailure(context, changed.failure)
}

function printWritten(written: WrittenWindow, { printer }: CommandContext): ExitCode {
  printer.say(...renderWindow(written, printer.look))
  for (const warning of written.warnings) printer.warn(warning)
  if (printer.json) printer.value(written)
  return 0
}

import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { renderFindings, renderVerdict } from '../render/render-findings.ts'

/** `doctor`: prints each finding as soon as it is known. */
export const doctor: Command = async ({ args, printer, io }) => {
  const dataDirectory = args.text('data-dir')
  let about: string | null = null
  const examination = await io.examine({
    dataDirectory: dataDirectory === null ? null : resolve(io.workDirectory, dataDirectory),
    demo: args.isSet('demo'),
    cluster: args.operands.CLUSTER ?? null,
    onFindings: findings => {
      if (printer.json) return
      printer.say(...renderFindings(findings, about, printer.look))
      about = findings.at(-1)?.about ?? about
    },
  })
  if (printer.json) printer.value(examination)
  else printer.say('', ...renderVerdict(examination, printer.look))
  return EXITS[examination.verdict]
}

const EXITS = { works: 0, broken: 1, 'cannot-tell': 3 } as const

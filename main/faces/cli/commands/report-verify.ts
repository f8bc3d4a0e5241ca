import { resolve } from 'node:path'
import { failure } from '../../../../shared/domain/failure.ts'
import type { ReportVerdict } from '../../../../shared/domain/report.ts'
import { readNamedFile } from '../../../platform/files/named-file.ts'
import type { Command } from '../command.ts'
import { reportFailure } from '../report-failure.ts'
import type { Look } from '../words/look.ts'

/** Reports contain the raw entries that they were made from, so they can be large. */
const LARGEST_REPORT = 64 * 1024 * 1024

export const verifyReport: Command = async context => {
  const { args, contract, printer, io } = context
  const path = resolve(io.workDirectory, args.operand('FILE'))
  const key = args.text('key')
  const file = await readNamedFile(path, LARGEST_REPORT)
  if (file.kind !== 'read') {
    const why = file.kind === 'absent' ? 'there is no such file' : file.fault.message
    return reportFailure(
      context,
      failure('bad-input', `${path} could not be read: ${why}. Name a report in format json or html.`, {
        target: path,
      }),
    )
  }
  const content = file.content.toString('utf8')
  const verified = await contract.ask('report.verify', key === null ? { content } : { content, key })
  if (!verified.ok) return reportFailure(context, verified.failure)
  const verdict = verified.value
  if (printer.json) printer.value(verdict)
  else printer.say(...renderVerdict(verdict, printer.look))
  return verdict.kind === 'genuine' ? 0 : 1
}

function renderVerdict({ kind, words, findings }: ReportVerdict, { palette }: Look): readonly string[] {
  const [head, tone] = HEADS[kind]
  const headline = palette[tone](`${head}. ${words}`)
  const width = Math.max(0, ...findings.map(({ what }) => what.length))
  return [
    headline,
    ...findings.map(({ what, holds, words: said }) => {
      const mark =
        holds === null ? palette.faint('cannot tell') : holds ? palette.good('unchanged  ') : palette.bad('CHANGED    ')
      return `  ${what.padEnd(width)}  ${mark}  ${said}`
    }),
  ]
}

const HEADS = {
  genuine: ['Genuine', 'good'],
  changed: ['Changed', 'bad'],
  'other-version': ['Made by another version', 'warn'],
  unknown: ['Not verified', 'bad'],
} as const

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { failure } from '../../../shared/domain/failure.ts'
import type { ReportVerdict } from '../../../shared/domain/report.ts'
import type { Command } from '../command.ts'
import { reportFailure } from '../report-failure.ts'
import type { Look } from '../words/look.ts'

/** `report verify`: whether a report is as it was made. */
export const verifyReport: Command = async context => {
  const { args, contract, printer, surroundings } = context
  const path = resolve(surroundings.workDirectory, args.operand('FILE'))
  const content = await readFile(path, 'utf8').catch((error: unknown) => codeOf(error))
  if (typeof content !== 'string') {
    const why = content.code === 'ENOENT' ? 'there is no such file' : content.code
    return reportFailure(
      context,
      failure('bad-input', `${path} could not be read: ${why}. Name a report in format json or html.`, {
        target: path,
      }),
    )
  }
  const verified = await contract.ask('report.verify', { content })
  if (!verified.ok) return reportFailure(context, verified.failure)
  const verdict = verified.value
  if (printer.json) printer.value(verdict)
  else printer.say(...renderVerdict(verdict, printer.look))
  return verdict.kind === 'genuine' ? 0 : 1
}

function renderVerdict({ kind, words, findings }: ReportVerdict, { palette }: Look): readonly string[] {
  const headline = kind === 'genuine' ? palette.good(`Genuine. ${words}`) : palette.bad(`${HEADS[kind]}. ${words}`)
  const width = Math.max(0, ...findings.map(({ what }) => what.length))
  return [
    headline,
    ...findings.map(({ what, holds, words: said }) => {
      const mark =
        holds === null ? palette.faint('cannot tell') : holds ? palette.good('holds      ') : palette.bad('CHANGED    ')
      return `  ${what.padEnd(width)}  ${mark}  ${said}`
    }),
  ]
}

const HEADS = { changed: 'Changed', unknown: 'Not verified' } as const

function codeOf(error: unknown): { readonly code: string } {
  return { code: error instanceof Error && 'code' in error ? String(error.code) : 'it is not readable' }
}

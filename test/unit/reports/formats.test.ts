import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reportCsv } from '../../../main/reports/csv.ts'
import { reportMarkdown } from '../../../main/reports/markdown.ts'
import { redactReport } from '../../../main/reports/redact-report.ts'
import type { Json } from '../../../shared/domain/json.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Report } from '../../../shared/domain/report.ts'
import type { RunEnding } from '../../../shared/domain/run-ending.ts'
import { visibleText } from '../../../shared/domain/visible-text.ts'
import { outcomeTone } from '../../../shared/words/report-outcomes.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'
import { announced, reportedRun, reportOf, windowEvents } from '../../fixtures/reports/reported-run.ts'

const report = reportOf(reportedRun().events)
const web = must(report.instances[0], 'the run has it')
const named = (name: string, more: Partial<typeof web> = {}): Report => ({
  ...report,
  instances: [{ ...web, name, ...more }],
})

/** Reads CSV as RFC 4180 says. */
function rowsOf(csv: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.slice(0, -1)
}

describe('the badge on the first page', () => {
  const OVERRIDE = { code: 'Override', flag: 'force', message: 'web-1 is in ERROR.', reason: 'known' } as const
  const ended = (ending: RunEnding) => ({
    ...report,
    summary: { ...report.summary, outcome: 'done' as const },
    runs: report.runs.map(run => ({ ...run, ending })),
  })

  it('is green only where nobody accepted anything', () => {
    expect(outcomeTone(ended({ kind: 'Finished', accepted: [] }))).toBe('good')
    expect(outcomeTone(ended({ kind: 'Finished', accepted: [OVERRIDE] }))).toBe('caution')
  })

  it('of a report of an earlier version, or of what is not done, has the colour of its outcome', () => {
    const earlier = ended({ kind: 'Finished', accepted: [OVERRIDE] })
    expect(outcomeTone({ ...earlier, runs: [] })).toBe('good')
    expect(outcomeTone({ ...earlier, summary: { ...report.summary, outcome: 'failed' } })).toBe('alarm')
  })
})

describe('CSV', () => {
  it('gives every cell back unchanged, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (name, words) => {
        const [header, row] = rowsOf(reportCsv(named(name, { words }), 'instances'))
        const cell = (column: string) => row?.[header?.indexOf(column) ?? -1]
        const guarded = (text: string) =>
          /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\n]/.test(visibleText(text))
            ? `'${visibleText(text)}`
            : visibleText(text)
        expect(row).toHaveLength(header?.length ?? 0)
        expect(cell('name')).toBe(guarded(name))
        expect(cell('words')).toBe(guarded(words))
      }),
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\n=1', '\uff1d1'])(
    '%j is text to a spreadsheet, not a formula',
    name => {
      const row = rowsOf(reportCsv(named(name), 'instances'))[1]
      expect(row?.[1]).toBe(`'${name}`)
    },
  )

  it('of events has a line for each entry of the run, in their order', () => {
    const rows = rowsOf(reportCsv(report, 'events')).slice(1)
    expect(rows).toHaveLength(report.entries.length)
    expect(rows.map(([at]) => at)).toEqual(report.entries.map(({ at }) => at))
    expect(rows.some(([, , , node, kind]) => node === 'cmp-1' && kind === 'instance-moved')).toBe(true)
  })

  it('of nodes has the time of each stage', () => {
    const [header, row] = rowsOf(reportCsv(report, 'nodes'))
    expect(row?.[header?.indexOf('draining_ms') ?? -1]).toBe(String(report.nodes[0]?.stages[0]?.ms))
  })
})

describe('Markdown', () => {
  it('lets no name of a cloud become markup or another cell', () => {
    const text = reportMarkdown(named('a | b\n# evil <img src=x> [d](http://e) `f` *g*'))
    const lines = text.split('\n')
    const at = lines.findIndex(each => each.includes('src=x'))
    const line = must(lines[at], 'it is there')
    expect(line.split(/(?<!\\)\|/)).toHaveLength(must(lines[at - 2], 'the head of its table').split('|').length)
    expect(line).toContain('\\<img src=x\\>')
    expect(line).toContain('\\[d\\](http://e)')
    expect(text).not.toMatch(/^# evil/m)
  })

  it('says first that a report is not final', () => {
    const text = reportMarkdown(reportOf(reportedRun('under-way').events))
    expect(text.split('\n')[2]).toMatch(/^> \*\*Not finished/)
  })
})

describe('a redacted report', () => {
  it('has no name and no id of an instance or a project, and none of the words people wrote', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9.-]{4,20}[a-z0-9]$/).filter(text => !text.includes('cmp-'))
    fc.assert(
      fc.property(name, fc.uuid(), fc.uuid(), (typed, id, projectId) => {
        const own = `zz-${typed}`
        const reported: Report = {
          ...report,
          instances: [{ ...web, id, name: own, projectId, words: `${own} (${id}) of ${projectId} moved.` }],
          incidents: [
            { at: report.madeAt, kind: 'given-up', subject: own, words: `${own}: no host for ${id}.`, runId: null },
            { at: report.madeAt, kind: 'noted', subject: 'noted by olga', words: 'ACME called', runId: null },
          ],
        }
        const text = JSON.stringify(redactReport(reported))
        for (const secret of [own, id, projectId, 'ACME']) expect(text).not.toContain(secret)
        expect(text).toContain('instance 1: no host for instance 1.')
        expect(text).toContain('instance 1 of project A moved.')
      }),
    )
  })

  it('calls the same instance the same everywhere, and two of one name by their ids', () => {
    const twin = { ...web, id: 'id-twin', words: 'web-1 (id-twin) failed, not web-1 (id-web); which web-1?' }
    const redacted = redactReport({ ...report, instances: [web, twin] })
    expect(redacted.instances.map(({ name }) => name)).toEqual(['instance 1', 'instance 2'])
    expect(redacted.instances[1]?.words).toBe('instance 2 failed, not instance 1; which an instance?')
  })

  it('leaves names alone that only hold the name of an instance', () => {
    const text = 'web-10 and my-web-1 are others; web-1 is not.'
    const redacted = redactReport({ ...report, damage: [text] })
    expect(redacted.damage).toEqual(['web-10 and my-web-1 are others; instance 1 is not.'])
  })

  it('names nobody in how a run ended, and keeps nothing of what people wrote about it', () => {
    const who = { id: 'id-web', name: 'web-1' }
    const reason = 'ACME asked'
    const ending: RunEnding = {
      kind: 'NodeNotEmpty',
      node: 'cmp-1',
      accepted: [
        { code: 'Override', flag: 'force', message: 'web-1 (id-web) is down meanwhile.', reason },
        { code: 'SkippedStep', stepId: 'drain-node', title: 'Drain cmp-1', by: 'olga', at: null, reason },
      ],
      verdict: {
        kind: 'NotEmpty',
        at: '2026-11-21T10:00:00.000Z',
        looked: [],
        instances: [{ ...who, code: 'LeftHere', status: 'ACTIVE', decided: { by: 'olga', at: '', reason } }],
        pods: [],
        unread: [{ what: 'migrations', code: 'NoAnswer', message: 'Nova said nothing of web-1.' }],
        declined: [],
      },
    }
    const redacted = redactReport({ ...report, runs: report.runs.map(run => ({ ...run, ending })) })
    const [run] = redacted.runs
    expect(run?.ending).toMatchObject({ kind: 'NodeNotEmpty', verdict: { instances: [{ name: 'instance 1' }] } })
    const text = JSON.stringify(run)
    for (const secret of ['web-1', 'id-web', 'ACME']) expect(text).not.toContain(secret)
  })

  describe('of an instance that it does not list', () => {
    const SIGN = 'Zq9'
    const id = '6f1c2d3e-1111-4222-8333-944455556666'
    const other = '7a1c2d3e-1111-4222-8333-944455556666'
    const odd = [
      '',
      ' ',
      '(',
      ')',
      ' (',
      ') ',
      ': ',
      '; ',
      '. ',
      '"',
      '\\',
      'host ',
      ' web-1 (id-web) ',
      'amphora-',
      other,
    ]
    const piece = fc.array(fc.oneof(fc.constantFrom(...odd, ` (${other}) `, 'ü', '\u202e'), fc.string()), {
      maxLength: 3,
    })
    const anyName = fc.tuple(piece, piece).map(([before, after]) => [...before, SIGN, ...after].join(''))
    const lockSaying = (message: string) =>
      [
        { fact: 'lock-waiting', subject: 'nodeworkloadlock/openstack-cmp-1', values: { state: 'active', message } },
      ] as const
    const reportedBy = (
      facts: readonly { fact: string; subject: string; values: Record<string, Json> }[],
      note = '',
    ) => {
      const recorded = createSampleRun()
      recorded.created()
      recorded.started('migrate-instances')
      for (const { fact, subject, values } of facts) recorded.fact('migrate-instances', fact, subject, values)
      recorded.add({
        kind: 'step-failed',
        stepId: 'migrate-instances',
        failure: { code: 'conflict', message: note, retryable: false },
      })
      recorded.finished('failed', [note])
      return reportOf(recorded.events)
    }

    const noted = (name: string) => ({
      fact: 'instances-noted',
      subject: 'node/cmp-1',
      values: { host: 'cmp-1', ids: [id], instances: [{ id, name }] },
    })

    it('has no part of its name, whatever it is, where it has an id', () => {
      fc.assert(
        // That its id is known under another name changes nothing: it was renamed.
        fc.property(anyName, fc.boolean(), (name, isRenamed) => {
          const label = `${name} (${id})`
          const before = isRenamed ? [noted('called otherwise')] : []
          for (const text of [
            `Starting migration for ${label}`,
            `Waiting servers migration is completed: ${JSON.stringify(['web-1 (id-web)', label])}`,
            `They are web-1 (id-web), ${label} of project ${'ab'.repeat(16)}, and web-1 (id-web).`,
          ]) {
            const reported = reportedBy([...before, ...lockSaying(text)], `${text}: HTTP 409.`)
            expect(reported.locks[0]?.message).toContain(id)
            expect(JSON.stringify(redactReport(reported))).not.toContain(SIGN)
          }
        }),
      )
    })

    it('has no part of its name, also without its id, where an entry says which name it has', () => {
      fc.assert(
        fc.property(anyName, name => {
          const reported = reportedBy([noted(name), ...lockSaying(`Waiting for "${name}" to go.`)], `${name}: no host.`)
          expect(JSON.stringify(redactReport(reported))).not.toContain(SIGN)
        }),
      )
    })

    it('keeps known people and the text after the id, since before it the beginning of the name is unknown', () => {
      const owners = `Some servers are still present on the host. They are web-1 (id-web), gone (${id}) of project 1.`
      const reported = {
        ...report,
        damage: [owners, `amphora-${other} (${id}) is locked.`, `Volume of ${id} is busy.`],
      }
      expect(redactReport(reported).damage).toEqual([
        '… instance 1 … of project 1.',
        '… is locked.',
        'Volume of … is busy.',
      ])
    })

    it('calls two of one name by their ids, and one of two names the same', () => {
      const names = [
        { id, name: 'twin' },
        { id: other, name: 'twin' },
        { id, name: 'renamed since' },
      ]
      const reported = reportedBy(
        [{ fact: 'instances-noted', subject: 'node/cmp-1', values: { host: 'cmp-1', ids: [], instances: names } }],
        `twin (${id}), twin (${other}), renamed since (${id}), and a twin`,
      )
      expect(redactReport(reported).runs[0]?.leftBehind).toEqual([
        'instance 3, instance 4, instance 3, and a an instance',
      ])
    })
  })

  it('keeps the digests and carries no entries', () => {
    const windows = windowEvents(announced, { kind: 'noted', note: 'remark', text: 'ACME called', by: 'olga' })
    const whole = reportOf(reportedRun().events, { windows, subject: { kind: 'window', id: 'window-1' } })
    const redacted = redactReport(whole)
    expect(redacted).toMatchObject({ redacted: true, entries: [], chain: whole.chain })
    expect(JSON.stringify(redacted)).not.toContain('ACME')
  })
})

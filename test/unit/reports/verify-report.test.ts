import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fingerprintOf, type Signer } from '../../../main/platform/settings/signature.ts'
import { buildReport } from '../../../main/reports/build-report.ts'
import { reportHtml } from '../../../main/reports/html.ts'
import { repeatedKey, reportJson } from '../../../main/reports/read-report.ts'
import { redactReport } from '../../../main/reports/redact-report.ts'
import { sealed, sealOf, signedReport } from '../../../main/reports/seal.ts'
import { type VerifyTools, verifyReport } from '../../../main/reports/verify-report.ts'
import type { JournalEntry } from '../../../shared/domain/journal-chain.ts'
import { must } from '../../../shared/domain/must.ts'
import { REPORT_SCHEMA, type Report } from '../../../shared/domain/report.ts'
import { chainOf, extractOf, journalOf } from '../../fixtures/reports/journal-extract.ts'
import { reportedRun, reportOf } from '../../fixtures/reports/reported-run.ts'
import { richReport } from '../../fixtures/reports/sample-report.ts'

const { events } = reportedRun()
const report = reportOf(events)
const page = (reported: Report) =>
  `<!doctype html><p>${reported.title}</p><script type="application/json" id="lockkeeper-report">${JSON.stringify(reported).replaceAll('<', '\\u003c')}</script>`

const here: VerifyTools = {
  version: '0.1.0',
  htmlOf: page,
  journal: journalOf(extractOf(events)),
  runsOf: () => [],
  ownKey: null,
  wantedKey: null,
}
const elsewhere: VerifyTools = { ...here, journal: journalOf({ ...extractOf([]), entries: [] }) }

function findings(content: string, tools: VerifyTools): Readonly<Record<string, boolean | null>> {
  return Object.fromEntries(verifyReport(content, tools).findings.map(({ what, holds }) => [what, holds]))
}

/** What somebody makes who knows everything but cannot change our journal: entries, digests, chain, contents and seal fit together. */
function forged(change: (entries: readonly JournalEntry[]) => readonly JournalEntry[]): Report {
  const entries = change(report.entries)
  const { subject, madeAt, madeBy } = report
  const extract = { entries, chain: chainOf(entries), damage: [] }
  return must(buildReport({ subject, extract, madeAt, madeBy, flavour: 'plain', interruptedRunIds: [] }), 'readable')
}

it('with any one letter changed a report is changed, wherever that letter is, and nothing fails over it', () => {
  const text = reportJson(report)
  const words = [...text.matchAll(/[A-Za-z0-9]{3,}/g)].filter((_, at) => at % 3 === 0)
  for (const { index } of words) {
    const letter = text[index] === 'a' ? 'b' : 'a'
    const changed = `${text.slice(0, index)}${letter}${text.slice(index + 1)}`
    expect(verifyReport(changed, here).kind, text.slice(index - 20, index + 20)).toBe('changed')
  }
})

it('a report of an earlier version, which calls batches waves, is as it was made', () => {
  const { estimate, ...reported } = richReport()
  const text = JSON.stringify({ ...reported, estimate })
    .replaceAll('"batches":', '"waves":')
    .replaceAll('"batch":', '"wave":')
  expect(text).toContain('"waves":')
  const earlier = JSON.parse(text) as Report
  const content = JSON.stringify({ ...earlier, seal: sealOf(earlier) })
  expect(findings(content, elsewhere).seal).toBe(true)
  expect(findings(content.replace('"wave":1', '"wave":2'), elsewhere).seal).toBe(false)
})

it('a report of schema 2, which has another name for the status of a window, is read and has its seal', () => {
  const earlier = JSON.parse(
    JSON.stringify({ ...richReport(), schema: 'lockkeeper-report/2' }).replace(
      '"status":"closed"',
      '"standing":"closed"',
    ),
  ) as Report
  const content = JSON.stringify({ ...earlier, seal: sealOf(earlier) })
  expect(content).toContain('"standing":"closed"')
  expect(findings(content, elsewhere).seal).toBe(true)
  expect(findings(content.replace('"standing":"closed"', '"standing":"open"'), elsewhere).seal).toBe(false)
})

it.each([
  ['the instant it was made at', (reported: Report) => ({ ...reported, madeAt: 'noon' })],
  [
    'the instant of an entry',
    (reported: Report) => ({ ...reported, entries: reported.entries.map(each => ({ ...each, at: 'noon' })) }),
  ],
])('an invalid value for %s is a change, not a fault', (_, change) => {
  expect(verifyReport(JSON.stringify(change(report)), here).kind).toBe('changed')
})

describe('a report with a repeated key is changed', () => {
  const text = reportJson(report)
  const within = text.indexOf('{', text.indexOf('"madeBy"')) + 1
  it.each([
    ['before the true one', text.replace('{', '{"title":"All went well.",')],
    ['in another spelling', text.replace('{', String.raw`{"\u0074itle":"All went well.",`)],
    ['with the same value', text.replace('{', `{"title":${JSON.stringify(report.title)},`)],
    ['deep within', `${text.slice(0, within)}"version" : "9.9.9",${text.slice(within)}`],
    ['within a page', page(report).replace('report">{', 'report">{"title":"All went well.",')],
  ])('%s', (_, content) => {
    expect(content).not.toBe(text)
    expect(verifyReport(content, { ...here, htmlOf: () => content })).toMatchObject({
      kind: 'changed',
      words: expect.stringContaining('is written twice'),
    })
  })

  it('the same key in two parts, and a value that looks like one, are not a repetition', () => {
    expect(repeatedKey('{"a":{"b":1},"c":[{"b":"b"},{"b":"a\\": "}],"d":"a","":"\\""}')).toBeNull()
    expect(verifyReport(text, here).kind).toBe('genuine')
  })
})

describe('a report as it was made', () => {
  it('is genuine, alone and by the journal it was made from', () => {
    expect(verifyReport(reportJson(report), here).kind).toBe('genuine')
    expect(findings(reportJson(report), here)).toEqual({
      seal: true,
      signature: null,
      entries: true,
      chain: true,
      contents: true,
      journal: true,
    })
    expect(findings(page(report), here)).toMatchObject({ page: true })
  })

  it('is genuine on another console too, which says that it cannot know more', () => {
    const verdict = verifyReport(reportJson(report), elsewhere)
    expect(verdict.kind).toBe('genuine')
    expect(verdict.words).toContain(report.chain.after)
    expect(findings(reportJson(report), elsewhere)).toMatchObject({ contents: true, journal: null })
  })

  it('redacted cannot be made again from itself, but from the journal', () => {
    const redacted = reportJson(redactReport(report))
    expect(findings(redacted, here)).toMatchObject({ seal: true, entries: null, contents: null, journal: true })
    expect(verifyReport(redacted, here).kind).toBe('genuine')
  })

  it('is sealed and rebuilt under the schema that it names', () => {
    const of = (schema: Report['schema']) => reportJson(sealed({ ...report, schema }))
    expect(findings(of(REPORT_SCHEMA), elsewhere)).toMatchObject({ contents: true })
    // This version writes the same entries in other words than under an earlier schema: no proof, and no accusation.
    for (const schema of ['lockkeeper-report/1', 'lockkeeper-report/2'] as const) {
      expect(findings(of(schema), elsewhere)).toMatchObject({ seal: true, contents: null })
      expect(verifyReport(of(schema), elsewhere).kind).toBe('other-version')
    }
  })
})

describe('a report that an earlier version worded', () => {
  const [run] = report.runs
  const { stands: _, ...earlierRun } = must(run, 'it has one')
  const earlier = sealed({
    ...report,
    schema: 'lockkeeper-report/1',
    madeBy: { ...report.madeBy, version: '0.0.9' },
    runs: [{ ...earlierRun, summary: 'Was done.' }],
  })

  it('is neither called changed nor called proved: it says which version words it so', () => {
    for (const tools of [here, elsewhere]) {
      const verdict = verifyReport(reportJson(earlier), tools)
      expect(verdict.kind).toBe('other-version')
      expect(verdict.words).toContain('written by Lockkeeper 0.0.9')
      expect(verdict.words).toContain('use Lockkeeper 0.0.9')
      expect(verdict.words).not.toContain('Nothing in this report was changed')
    }
    expect(findings(reportJson(earlier), elsewhere)).toMatchObject({ seal: true, entries: true, contents: null })
  })

  it('is named by what differs, not by its schema alone', () => {
    const { findings: all } = verifyReport(reportJson(earlier), elsewhere)
    expect(all.find(({ what }) => what === 'contents')?.words).toContain('writes it differently (')
    expect(all.find(({ what }) => what === 'contents')?.words).not.toContain('(schema)')
  })

  it('is genuine where a known key signed it', () => {
    const ours = signer()
    const signed = reportJson(signedReport(earlier, ours))
    expect(verifyReport(signed, { ...elsewhere, ownKey: ours.fingerprint }).kind).toBe('genuine')
    expect(verifyReport(signed, { ...elsewhere, wantedKey: ours.fingerprint }).kind).toBe('genuine')
    expect(verifyReport(signed, elsewhere)).toMatchObject({
      kind: 'other-version',
      words: expect.stringContaining('--key'),
    })
  })

  it('is changed where its entries are others', () => {
    const entries = earlier.entries.map(entry => ({ ...entry, at: report.madeAt }))
    expect(verifyReport(reportJson(sealed({ ...earlier, entries })), elsewhere).kind).toBe('changed')
  })
})

describe('how far the clocks of servers were off', () => {
  const story = reportedRun('under-way')
  const measured = (aheadMs: number) => story.add({ kind: 'clocks-measured', clocks: [{ server: 'Nova', aheadMs }] }).at
  const began = measured(400)
  measured(900)
  const later = measured(7_300)
  story.finished('done')
  const timed = reportOf(story.events)
  const { clocks: _, ...unreported } = timed

  it('is listed at the start of the run, and again after it went off by five seconds', () => {
    expect(timed.clocks).toEqual([
      {
        runId: timed.subject.id,
        server: 'Nova',
        measured: [
          { at: began, aheadMs: 400 },
          { at: later, aheadMs: 7_300 },
        ],
      },
    ])
    expect(timed.incidents.filter(({ kind }) => kind === 'clocks-apart')).toMatchObject([
      { at: later, words: "The clock of Nova is 7.3 s ahead of this machine's." },
    ])
    expect(verifyReport(reportJson(timed), elsewhere).kind).toBe('genuine')
  })

  it('can be neither changed nor left out', () => {
    const changed = timed.clocks?.map(clock => ({ ...clock, measured: clock.measured.slice(0, 1) }))
    for (const reported of [{ ...timed, clocks: changed }, unreported]) {
      expect(findings(reportJson(sealed(reported)), elsewhere)).toMatchObject({ seal: true, contents: false })
    }
  })

  it('is not demanded of a report of an earlier version, which could not tell it', () => {
    const { clocks: none, ...earlier } = report
    expect(none).toEqual([])
    const written = reportJson(sealed(earlier))
    expect(written).not.toContain('"clocks"')
    expect(findings(written, here)).toMatchObject({ seal: true, contents: true, journal: true })
    const page = reportHtml(sealed(earlier))
    expect(page).not.toContain('id="clocks"')
    expect(verifyReport(page, { ...here, htmlOf: reportHtml }).kind).toBe('genuine')
    expect(verifyReport(reportHtml(timed), { ...elsewhere, htmlOf: reportHtml }).kind).toBe('genuine')
  })
})

describe('a report that was changed', () => {
  it.each<[string, string, Report]>([
    ['what it says about an instance, sealed again', 'contents', sealed({ ...report, instances: [] })],
    ['its summary, sealed again', 'contents', sealed({ ...report, summary: { ...report.summary, outcome: 'failed' } })],
    ['who made it', 'seal', { ...report, madeBy: { ...report.madeBy, operator: 'eve' } }],
    [
      'an entry',
      'entries',
      sealed({ ...report, entries: report.entries.map(entry => ({ ...entry, at: report.madeAt })) }),
    ],
    [
      'an entry that was put in',
      'entries',
      sealed({ ...report, entries: report.entries.flatMap(entry => [entry, { ...entry, sourceSeq: 10_000 }]) }),
    ],
    ['a link', 'chain', sealed({ ...report, chain: { ...report.chain, links: report.chain.links.toSpliced(3, 1) } })],
    ['the last hash', 'chain', sealed({ ...report, chain: { ...report.chain, after: '0'.repeat(64) } })],
  ])('in %s is found in its %s', (_what, where, changed) => {
    expect(verifyReport(reportJson(changed), elsewhere).kind).toBe('changed')
    expect(findings(reportJson(changed), elsewhere)).toMatchObject({ [where]: false })
  })

  it('in what the page shows is found in the page', () => {
    const shown = page(report).replace(`<p>${report.title}`, '<p>All went well')
    expect(findings(shown, here)).toMatchObject({ page: false, contents: true })
    expect(verifyReport(shown, here).kind).toBe('changed')
  })

  it('all made again, with an entry left out, is found by the journal that has that entry', () => {
    const without = forged(entries => entries.filter(({ body }) => !body.includes('migration-failed')))
    expect(verifyReport(reportJson(without), elsewhere).kind).toBe('genuine')
    expect(findings(reportJson(without), here)).toMatchObject({ contents: true, journal: false })
    expect(verifyReport(reportJson(without), here).kind).toBe('changed')
  })

  it('all made again, with an entry changed, is found by the journal', () => {
    const changed = forged(entries =>
      entries.map(entry => ({ ...entry, body: entry.body.replaceAll('cmp-2', 'cmp-9') })),
    )
    expect(changed.instances[0]?.after?.host).toBe('cmp-9')
    expect(findings(reportJson(changed), here)).toMatchObject({ contents: true, journal: false })
  })

  it('is not called changed by a journal that took the same entries over from another one', () => {
    const later = extractOf([
      { ...must(events[0], 'it was created'), seq: 900, runId: 'other', at: '2026-11-20T00:00:00.000Z' },
    ])
    const entries = [...later.entries, ...report.entries.map(entry => ({ ...entry, sourceSeq: entry.sourceSeq + 1 }))]
    const imported = { ...here, journal: journalOf({ entries, chain: chainOf(entries), damage: [] }) }
    expect(findings(reportJson(report), imported)).toMatchObject({ contents: true, journal: true })
    const without = forged(own => own.filter(({ body }) => !body.includes('migration-failed')))
    expect(findings(reportJson(without), imported)).toMatchObject({ journal: false })
  })

  it('by being cut off is changed, not unknown', () => {
    expect(verifyReport(reportJson(report).slice(0, -40), here).kind).toBe('changed')
    expect(verifyReport(page(report).slice(0, -40), here).kind).toBe('changed')
  })
})

it.each(['', '{}', '# a report', '<html></html>', 'id,name\r\n', '[1]', 'null'])('%j is not a report', content => {
  expect(verifyReport(content, here)).toMatchObject({ kind: 'unknown', findings: [] })
})

/** A key of an installation. */
function signer(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const signed = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64')
  return { publicKey: spki, fingerprint: fingerprintOf(spki), sign: signed }
}

describe('a signed report', () => {
  const ours = signer()
  const theirs = signer()
  const signed = signedReport(report, ours)
  const signature = must(signed.signature, 'it is signed')
  const withKey = (tools: Partial<VerifyTools>): VerifyTools => ({ ...here, ownKey: ours.fingerprint, ...tools })
  const saidOf = (reported: Report, tools: VerifyTools) =>
    verifyReport(reportJson(reported), tools).findings.find(({ what }) => what === 'signature')

  it('is genuine, also redacted and as a page, and says by whose key', () => {
    for (const reported of [signed, signedReport(redactReport(report), ours)]) {
      expect(saidOf(reported, withKey({}))).toMatchObject({
        holds: true,
        words: expect.stringContaining('This installation'),
      })
      expect(verifyReport(reportJson(reported), withKey({})).kind).toBe('genuine')
    }
    expect(verifyReport(page(signed), withKey({})).kind).toBe('genuine')
  })

  it('by another key is not called ours, and names the key', () => {
    const said = saidOf(signedReport(report, theirs), withKey({}))
    expect(said).toMatchObject({ holds: null, words: expect.stringContaining(theirs.fingerprint) })
  })

  it('by the key that was demanded holds on any console, however it was typed', () => {
    const wantedKey = ours.fingerprint.replaceAll('-', '').toUpperCase()
    expect(saidOf(signed, withKey({ ownKey: null, wantedKey }))?.holds).toBe(true)
  })

  it.each<[string, Report, Partial<VerifyTools>]>([
    ['by another key than the one demanded', signedReport(report, theirs), { wantedKey: ours.fingerprint }],
    ['by nobody, where one is required', report, { wantedKey: ours.fingerprint }],
    ['and changed and sealed again', { ...sealed({ ...report, title: 'x' }), signature }, {}],
    [
      "under a fingerprint that is not its key's",
      { ...signed, signature: { ...signature, fingerprint: theirs.fingerprint } },
      {},
    ],
    ['by no key at all', { ...signed, signature: { ...signature, publicKey: 'AAAA' } }, {}],
    [
      'with our fingerprint over their key',
      { ...signed, signature: { ...signature, publicKey: theirs.publicKey } },
      {},
    ],
  ])('%s does not hold', (_, reported, tools) => {
    expect(saidOf(reported, withKey(tools))?.holds).toBe(false)
    expect(verifyReport(reportJson(reported), withKey(tools)).kind).toBe('changed')
  })
})
